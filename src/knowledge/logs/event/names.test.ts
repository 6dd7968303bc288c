import { expect, test } from "vitest";
import { inferLevel, isBracketedComponent, isComponentName, keyEntity, nameEntity, nameWorkload } from "./names.ts";

test.each([
  ["warning: unknown[192.0.2.9]: login failed", "WARN"],
  ["error: could not open the key", "ERROR"],
  ["Info: retry failed once", "INFO"],
  ["fatal: no such user", "FATAL"],
  ["login of bob failed", "ERROR"],
  ["warning lights are on, and the motor failed", "ERROR"],
  ["12 WARN web request failed", "WARN"],
  ["0 errors found", null],
  ["served page 4", null],
])("%s is %s", (message, level) => expect(inferLevel(message)).toBe(level));

test.each([
  ["dfs.DataNode", "DataNode"],
  ["dfs.DataNode$PacketResponder", "DataNode"],
  ["org.apache.hadoop.hdfs.server.datanode.DataNode", "DataNode"],
  ["dfs.FSNamesystem", "NameNode"],
  ["com.acme.orders.OrderController", "OrderController"],
  ["kafka.server.ReplicaManager", "ReplicaManager"],
  ["docker.service", "docker"],
  ["postgres", "PostgreSQL"],
  ["10.0.0.1:80", "10.0.0.1:80"],
  ["smtp.prod.svc.cluster.local", "smtp.prod.svc.cluster.local"],
])("%s is known as %s", (name, known) => expect(nameEntity(name)).toBe(known));

test.each([
  ["data-node", "DataNode"],
  ["order_service", "OrderService"],
  ["zk", "org.apache.zookeeper.server.quorum.QuorumPeer"],
])("%s and %s are one", (a, b) => expect(keyEntity(a)).toBe(keyEntity(b)));

test.each([
  ["cart", "chart"],
  ["10.0.0.1", "10.0.0.2"],
  ["NameNode", "DataNode"],
])("%s and %s are two", (a, b) => expect(keyEntity(a)).not.toBe(keyEntity(b)));

test.each([
  "ERROR",
  "warning",
  "NULL",
  "error",
  "Warn",
  "log",
  ".json",
  "yaml",
  "42",
  "java.io.IOException",
  "TypeError",
])("%s is never a component", (name) => expect(isComponentName(name)).toBe(false));

test.each(["main", "http-nio-8080-exec-1", "pool-3-thread-1", "req-12ab", "exec-8", "warning"])(
  "[%s] is no component either",
  (name) => expect(isBracketedComponent(name)).toBe(false),
);

test.each([
  ["search-7c9d6f8b9c-x2x9z", "search"],
  ["cart-service-5d4f8b7c6-abcde", "cart-service"],
  ["db-0", "db"],
  ["my-app", "my-app"],
])("pod %s belongs to %s", (pod, workload) => expect(nameWorkload(pod)).toBe(workload));

test.each([
  ["kernel panic - not syncing", "FATAL"],
  ["authentication failure; logname=", "ERROR"],
  ["slow query took 9 s", "WARN"],
  ["completed without errors", null],
  ["session opened", null],
])("without a level, %s is %s", (message, level) => {
  expect(inferLevel(message)).toBe(level);
});
