import { expect, test } from "vitest";
import { areSameEntity, nameEntity } from "./name-entity.ts";

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
])("%s and %s are one", (a, b) => expect(areSameEntity(a, b)).toBe(true));

test.each([
  ["cart", "chart"],
  ["10.0.0.1", "10.0.0.2"],
  ["NameNode", "DataNode"],
])("%s and %s are two", (a, b) => expect(areSameEntity(a, b)).toBe(false));
