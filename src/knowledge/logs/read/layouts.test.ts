import { describe, expect, test } from "vitest";
import { guessReader } from "./layouts.ts";
import { TimestampReader } from "./timestamps.ts";

type Row = [
  format: string,
  line: string,
  level: string | null,
  component: string | null,
  time: string | null,
  message: string,
];

const rows: Row[] = [
  [
    "windows-event",
    "2025-02-11 08:02:45 Error        Service Control Manager [7000] The Sync service failed to start",
    "ERROR",
    "Service Control Manager",
    "2025-02-11T08:02:45.000Z",
    "The Sync service failed to start",
  ],
  [
    "iso-level",
    "2025-03-04 01:48:00.000 +00:00 [WRN] <Shop.Web.HealthChecks> orders-db is unhealthy",
    "WARN",
    "Shop.Web.HealthChecks",
    "2025-03-04T01:48:00.000Z",
    "orders-db is unhealthy",
  ],
  [
    "bgl",
    "- 1117000000 2005.05.25 R11-M0-N3 2005-05-25-05.46.40.123456 R11-M0-N3 RAS KERNEL WARNING link retrained",
    "WARN",
    "KERNEL",
    "2005-05-25T05:46:40.123Z",
    "link retrained",
  ],
  [
    "hpc",
    "2561 node-9 unix.hw state_change 1084680778 1 fan tray removed",
    null,
    "unix.hw",
    "2004-05-16T04:12:58.000Z",
    "fan tray removed",
  ],
  [
    "hdfs",
    "081109 203615 14 INFO dfs.DataNode: writing blk_1",
    "INFO",
    "dfs.DataNode",
    "2008-11-09T20:36:15.000Z",
    "writing blk_1",
  ],
  [
    "zookeeper",
    "2015-07-29 17:41:44,747 - WARN  [Peer[myid=1]/0:0:0:0:0:0:0:0:2181:Election@774] - vote late",
    "WARN",
    "Election",
    "2015-07-29T17:41:44.747Z",
    "vote late",
  ],
  [
    "hadoop",
    "2015-10-18 18:01:47,978 ERROR [AsyncDispatcher event handler] org.acme.Job: lost worker",
    "ERROR",
    "org.acme.Job",
    "2015-10-18T18:01:47.978Z",
    "lost worker",
  ],
  [
    "spark",
    "17/06/09 20:10:40 INFO storage.Blocks: found rdd_2_0",
    "INFO",
    "storage.Blocks",
    "2017-06-09T20:10:40.000Z",
    "found rdd_2_0",
  ],
  [
    "openstack",
    "nova-api.log.1.x 2017-05-16 00:00:00.008 25746 INFO nova.wsgi [req-1 a b - - -] 10.1.1.1 served",
    "INFO",
    "nova.wsgi",
    "2017-05-16T00:00:00.008Z",
    "10.1.1.1 served",
  ],
  [
    "apache",
    "[Sun Dec 04 04:47:44.120 2005] [core:error] [pid 3:tid 4] [client 1.2.3.4] denied",
    "ERROR",
    "core",
    "2005-12-04T04:47:44.120Z",
    "[client 1.2.3.4] denied",
  ],
  [
    "nginx",
    "2024/01/02 10:00:00 [crit] 12#0: *5 connect() failed",
    "FATAL",
    "nginx",
    "2024-01-02T10:00:00.000Z",
    "connect() failed",
  ],
  [
    "access",
    '10.0.0.9 - eve [10/Oct/2020:13:55:36 -0700] "GET /a HTTP/1.1" 503 12',
    "ERROR",
    null,
    "2020-10-10T20:55:36.000Z",
    '"GET /a HTTP/1.1" 503 12',
  ],
  [
    "syslog",
    "<11>Jul  1 09:00:55 mac-7 Mail Helper[88] (com.x[1]): quota hit",
    "ERROR",
    "Mail Helper",
    "2023-07-01T09:00:55.000Z",
    "quota hit",
  ],
  [
    "syslog",
    "Jul  1 09:00:55 mac-7 com.x.launchd[1] (com.x.look[361]): started",
    null,
    "com.x.launchd",
    "2023-07-01T09:00:55.000Z",
    "started",
  ],
  [
    "syslog",
    "Jun  9 06:06:20 combo syslogd 1.4.1: restart.",
    null,
    "syslogd 1.4.1",
    "2023-06-09T06:06:20.000Z",
    "restart.",
  ],
  [
    "syslog",
    "Jun  9 06:06:20 combo last message repeated 3 times",
    null,
    null,
    "2023-06-09T06:06:20.000Z",
    "last message repeated 3 times",
  ],
  [
    "syslog-iso",
    "2024-03-01T10:00:00.5+01:00 web1 sshd[77]: closed",
    null,
    "sshd",
    "2024-03-01T09:00:00.500Z",
    "closed",
  ],
  [
    "glog",
    "E0314 15:04:05.678901    1 server.go:123] listen failed",
    "ERROR",
    "server.go",
    "2024-03-14T15:04:05.678Z",
    "listen failed",
  ],
  [
    "spring",
    "2024-01-01 10:00:00.123  WARN 77 --- [main] c.e.App : slow",
    "WARN",
    "c.e.App",
    "2024-01-01T10:00:00.123Z",
    "slow",
  ],
  [
    "python",
    "2024-01-02 10:00:00,123 - my.mod - CRITICAL - gone",
    "FATAL",
    "my.mod",
    "2024-01-02T10:00:00.123Z",
    "gone",
  ],
  [
    "iso-level",
    "2024-03-01T10:00:00.123456789Z ts-pay-service 16:42:28.790 ERROR  p.Pay#10 declined",
    "ERROR",
    "ts-pay-service",
    "2024-03-01T10:00:00.123Z",
    "p.Pay#10 declined",
  ],
  [
    "iso-level",
    "[2024-03-01 10:00:00,123] INFO [Controller id=1] electing",
    "INFO",
    null,
    "2024-03-01T10:00:00.123Z",
    "electing",
  ],
  ["iso", "2009/01/23 01:23:23 listening", null, null, "2009-01-23T01:23:23.000Z", "listening"],
  ["redis", "12:M 01 Jan 2024 10:00:00.123 # oom", "WARN", "redis", "2024-01-01T10:00:00.123Z", "oom"],
  ["dmesg", "[   12.345678] usb 1-1: reset", null, null, "1970-01-01T00:00:12.346Z", "usb 1-1: reset"],
  ["level-first", "ERROR: no config", "ERROR", null, null, "no config"],
  [
    "json",
    '{"time":"2024-03-01T10:00:00.123Z","level":"error","msg":"down","logger":"pool","err":"refused"}',
    "ERROR",
    "pool",
    "2024-03-01T10:00:00.123Z",
    "down: refused",
  ],
  [
    "json",
    '{"level":40,"time":1700000000123,"msg":"slow","name":"api"}',
    "WARN",
    "api",
    "2023-11-14T22:13:20.123Z",
    "slow",
  ],
  [
    "logfmt",
    'ts=2024-03-01T10:00:00Z level=warn msg="disk low" disk=/dev/sda used=91%',
    "WARN",
    null,
    "2024-03-01T10:00:00.000Z",
    "disk low disk=/dev/sda used=91%",
  ],
  ["plain", "something happened", null, null, null, "something happened"],
];

describe("every layout is guessed from a line and taken apart", () => {
  test.each(rows)("%s: %s", (format, line, level, component, time, message) => {
    const { main } = guessReader([line]);
    expect(main.name).toBe(format);
    const event = main.read(line, new TimestampReader(Date.UTC(2024, 5, 1)));
    const timestamp = time === null ? null : Date.parse(time);
    expect(event).toMatchObject({ level, component, timestamp, message, raw: line });
  });
});

test("a few foreign lines do not change the guess, and stay readable", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `2024-01-02 10:00:${10 + i},000 INFO [main] a.B: step ${i}`);
  const { main, others } = guessReader([...lines, "Jun  9 06:06:20 combo kernel: oops", "  at a.b.C(C.java:1)"]);
  expect(main.name).toBe("hadoop");
  expect(others.map(({ name }) => name)).toContain("syslog");
});
