/** Incidents and healthy logs that a fixed seed writes: the ordinary talk of a stack, a quiet cause and its loud effects. */
import type { Truth } from "./incident-cases.ts";

export type WrittenCase = {
  truth: Truth;
  text: string;
  /** The same log with the telling lines in other words. */
  reworded: string;
};

type Row = [seconds: number, text: string];
type Draft = {
  truth: Omit<Truth, "any" | "all"> & Partial<Truth>;
  rows: Row[];
  stamp: (seconds: number) => string;
  words?: [RegExp, string][];
};

const generator = (seed: number) => {
  let state = seed;
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  return {
    int: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  };
};
type Chance = ReturnType<typeof generator>;

const iso = (date: string) => (seconds: number) =>
  new Date(Date.parse(`${date}T08:00:00Z`) + seconds * 1000).toISOString();
const syslog = (day: string) => (seconds: number) =>
  `${day} ${new Date(8 * 3600000 + seconds * 1000).toISOString().slice(11, 19)}`;
const plain = (date: string) => (seconds: number) =>
  iso(date)(seconds).slice(0, 23).replace("T", " ").replace(".", ",");
const bracket = (date: string) => (seconds: number) => `[${iso(date)(seconds).slice(0, 19).replace("T", " ")}]`;

/** Rows from a time to a time, one every `every` seconds, each made of its time. */
const each = (from: number, to: number, every: number, text: (seconds: number, index: number) => string): Row[] =>
  Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, index) => [
    from + index * every,
    text(from + index * every, index),
  ]);

/** From `low` to `high` between two times; flat outside. */
const ramp = (seconds: number, [from, low]: [number, number], [to, high]: [number, number]) =>
  seconds <= from ? low : seconds >= to ? high : Math.round(low + ((high - low) * (seconds - from)) / (to - from));

const drafts: ((chance: Chance) => Draft)[] = [
  // Told by numbers or order only.
  (chance) => ({
    truth: {
      file: "e01-varnish-ban-list.log",
      category: "resource",
      component: "varnishd",
      cause: "the ban list grows and is never cleaned, so that every lookup walks it",
      any: ["\\bbans?\\b"],
    },
    stamp: syslog("Sep 14"),
    rows: [
      ...each(
        0,
        3600,
        60,
        (s) =>
          `cache1 varnishd[811]: stats bans=${ramp(s, [600, 14], [3600, 96840]) + chance.int(0, 3)} objects=${chance.int(41000, 43000)} hit_share=0.${chance.int(90, 94)}`,
      ),
      ...each(
        5,
        3590,
        17,
        () => `cache1 varnishncsa[820]: GET /p/${chance.int(100, 999)} 200 hit ${chance.int(1, 4)}ms`,
      ),
      ...each(
        2400,
        3595,
        9,
        () =>
          `lb1 haproxy[422]: backend cache server cache1 response time ${chance.int(4100, 9800)} ms exceeds 4000 ms`,
      ),
      ...each(
        2460,
        3598,
        7,
        () => `web${chance.int(1, 3)} shopfront[90]: ERROR page render failed: upstream timed out after 5000 ms`,
      ),
      ...each(2700, 3590, 40, () => "lb1 haproxy[422]: ERROR Server cache/cache1 is DOWN, reason: Layer7 timeout"),
    ],
    words: [[/stats bans=(\d+)/, "counters invalidations_kept=$1"]],
  }),
  (chance) => ({
    truth: {
      file: "e02-ceph-osd-latency.log",
      category: "hardware",
      component: "osd.7",
      cause: "the disk under osd.7 has become slow: its commit latency steps from 16 to 1,450 ms and stays",
      any: ["osd\\.7"],
    },
    stamp: iso("2025-09-15"),
    rows: [
      ...[3, 4, 5, 6, 7, 8].flatMap((osd) =>
        each(
          osd,
          2700,
          45,
          (s) =>
            `osd.${osd} [INF] perf commit_latency_ms=${osd === 7 && s > 1200 ? chance.int(1380, 1520) : chance.int(13, 19)} ops=${chance.int(300, 420)}`,
        ),
      ),
      ...each(
        1290,
        2690,
        11,
        () =>
          `mon.a [WRN] Health check update: ${chance.int(12, 90)} slow ops, oldest one blocked for ${chance.int(31, 300)} sec (SLOW_OPS)`,
      ),
      ...each(
        1320,
        2695,
        6,
        () => `rbd-client.${chance.int(10, 29)} [ERR] I/O error: request timed out on image vm-${chance.int(100, 140)}`,
      ),
      ...each(
        1500,
        2690,
        25,
        () => `qemu.vm-${chance.int(100, 140)} [ERR] guest reports hung task, filesystem remounted read-only`,
      ),
    ],
    words: [[/perf commit_latency_ms=(\d+) ops=/, "journal flush took $1 ms, requests "]],
  }),
  (chance) => ({
    truth: {
      file: "e03-memcached-evictions.log",
      category: "resource",
      component: "memcached",
      cause: "memcached has reached its memory limit and evicts, so that the requests fall through to the database",
      any: ["evict", "memcached"],
    },
    stamp: plain("2025-09-16"),
    rows: [
      ...each(
        0,
        3000,
        50,
        (s) =>
          `INFO memcached - bytes=${ramp(s, [0, 412], [1500, 1024])}M limit=1024M evictions=${s <= 1500 ? 0 : (s - 1500) * 41} curr_items=${chance.int(880, 910)}k`,
      ),
      ...each(8, 2990, 13, () => `INFO catalog - served ${chance.int(200, 300)} product views`),
      ...each(1620, 2995, 8, () => `ERROR catalog - could not obtain a database connection within 3000 ms`),
      ...each(1640, 2995, 10, () => `ERROR api - GET /products/${chance.int(1, 900)} failed with status 503`),
      ...each(1650, 2995, 30, () => `WARN dbproxy - ${chance.int(40, 90)} clients waiting for a server connection`),
    ],
    words: [[/bytes=(\d+M) limit=(\S+) evictions=(\d+)/, "slab pages hold $1 of $2, dropped early $3"]],
  }),
  (chance) => ({
    truth: {
      file: "e04-cockroach-clock.log",
      category: "config",
      component: "n3",
      cause: "the clock of node n3 drifts away until the others refuse it",
      any: ["clock", "offset"],
      all: ["n3"],
    },
    stamp: iso("2025-09-17"),
    rows: [
      ...[1, 2, 3].flatMap((node) =>
        each(
          node,
          3000,
          40,
          (s) =>
            `n${node} I runtime clock_offset_ms=${node === 3 ? ramp(s, [300, 2], [2400, 481]) : chance.int(1, 4)} goroutines=${chance.int(300, 340)}`,
        ),
      ),
      ...each(11, 2990, 19, () => `n${chance.int(1, 3)} I executed ${chance.int(400, 600)} statements`),
      ...each(
        2100,
        2995,
        7,
        () => `n${chance.int(1, 2)} W txn restart: ReadWithinUncertaintyIntervalError on range r${chance.int(10, 90)}`,
      ),
      ...each(2220, 2995, 9, () => `ledger E commit failed: restart transaction, gave up after 5 tries`),
      ...each(2410, 2995, 30, () => `n1 E failed node liveness heartbeat: context deadline exceeded`),
    ],
    words: [[/clock_offset_ms=(\d+)/, "wall time is $1 ms ahead of its peers,"]],
  }),
  (chance) => ({
    truth: {
      file: "e05-flink-state.log",
      category: "software",
      component: "SessionWindow",
      cause: "the state of the SessionWindow operator grows without end, so that checkpoints take too long",
      any: ["state", "SessionWindow"],
    },
    stamp: plain("2025-09-18"),
    rows: [
      ...["Source", "Enrich", "SessionWindow", "Sink"].flatMap((name, at) =>
        each(
          10 + at,
          5400,
          120,
          (s) =>
            `INFO  ${name} - operator state size ${name === "SessionWindow" ? ramp(s, [0, 220], [5400, 61400]) + chance.int(0, 9) : chance.int(11, 14)} MB`,
        ),
      ),
      ...each(
        60,
        3600,
        60,
        (s, i) =>
          `INFO  CheckpointCoordinator - Completed checkpoint ${i + 1} in ${ramp(s, [0, 900], [3600, 58800])} ms`,
      ),
      ...each(3720, 5400, 60, (_, i) => `WARN  CheckpointCoordinator - Checkpoint ${62 + i} expired before completing`),
      ...each(
        3900,
        5400,
        20,
        () => `ERROR JobMaster - Exceeded checkpoint tolerable failure threshold, restarting job clickstream`,
      ),
      ...each(3910, 5400, 13, () => `ERROR dashboard - no data for panel sessions since ${chance.int(60, 900)} s`),
    ],
    words: [[/operator state size (\d+) MB/, "keeps $1 MB between elements"]],
  }),
  (chance) => ({
    truth: {
      file: "e06-gateway-limit.log",
      category: "config",
      component: "edge-gateway",
      cause: "a pushed configuration lowered max_connections of the cluster cart from 1024 to 16",
      any: ["1024", "max_connections", "revision 88"],
    },
    stamp: iso("2025-09-19"),
    rows: [
      ...each(0, 2400, 12, () => `edge-gateway info GET /cart 200 cluster=cart ${chance.int(8, 30)}ms`),
      ...each(300, 2400, 600, (_, i) => `edge-gateway info route table checked, ${40 + i} routes`),
      [1477, "control-plane info applied revision 88 to edge-gateway: cluster cart max_connections 1024 -> 16"],
      ...each(1500, 2395, 4, () => `edge-gateway error GET /cart 503 cluster=cart upstream overflow`),
      ...each(1503, 2395, 5, () => `storefront error checkout page failed: 503 Service Unavailable from /cart`),
      ...each(1530, 2395, 45, () => `pager critical error budget of checkout burns ${chance.int(20, 60)}x`),
    ],
    words: [
      [
        /applied revision 88 to edge-gateway: cluster cart max_connections 1024 -> 16/,
        "revision 88 sent to edge-gateway, cluster cart may now hold 16 links at once (was 1024)",
      ],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e07-silent-shard.log",
      category: "software",
      component: "shard-4",
      cause: "shard-4 stops renewing its lease and does no more work",
      any: ["shard-4"],
    },
    stamp: iso("2025-09-20"),
    rows: [
      ...[1, 2, 3, 4, 5, 6].flatMap((shard) =>
        each(
          shard * 3,
          shard === 4 ? 1100 : 3000,
          30,
          () => `shard-${shard} info lease renewed, ${chance.int(3, 9)} schedules due`,
        ),
      ),
      ...each(7, 3000, 25, () => `notifier info sent ${chance.int(10, 40)} reminders`),
      ...each(1180, 2995, 8, () => `api error schedule ${chance.int(100, 999)} is stale: next run lies in the past`),
      ...each(1200, 2995, 11, () => `billing error nightly invoice ${chance.int(1000, 9999)} was not produced in time`),
      ...each(1300, 2995, 60, () => `notifier warn ${chance.int(2, 9)} reminders late`),
    ],
    words: [[/lease renewed, (\d+) schedules due/, "still the owner, $1 entries to do"]],
  }),
  (chance) => ({
    truth: {
      file: "e08-cooling-flow.log",
      category: "hardware",
      component: "pump-2",
      cause: "the flow of cooling pump-2 falls to zero",
      any: ["pump-2"],
      all: ["flow|zero|0"],
    },
    stamp: bracket("2025-09-21"),
    rows: [
      ...[1, 2, 3].flatMap((pump) =>
        each(
          pump,
          2700,
          30,
          (s) =>
            `plc.pump-${pump} READ flow=${pump === 2 && s > 900 ? "0.0" : `${chance.int(38, 42)}.${chance.int(0, 9)}`} l/min speed=${chance.int(1440, 1460)} rpm`,
        ),
      ),
      ...each(15, 2700, 30, (s) => `plc.rack-b READ inlet=${ramp(s, [1000, 22], [2600, 47])}.${chance.int(0, 9)} C`),
      ...each(1700, 2695, 9, () => `dcim ALARM rack-b inlet temperature above 35 C`),
      ...each(
        1900,
        2695,
        6,
        () => `node-b${chance.int(10, 40)} ERROR CPU${chance.int(0, 1)} throttled, temperature above threshold`,
      ),
      ...each(
        2100,
        2695,
        12,
        () => `scheduler ERROR job ${chance.int(5000, 5999)} lost: node-b${chance.int(10, 40)} switched off`,
      ),
    ],
    words: [[/READ flow=(\S+) l\/min speed/, "sample throughput $1 litres, turning"]],
  }),
  // Stated by a quiet line; the effects are louder.
  (chance) => ({
    truth: {
      file: "e09-bind-serial.log",
      category: "config",
      component: "ns1",
      cause: "the zone example.net was loaded with a smaller serial number, so that the secondaries do not transfer it",
      any: ["serial"],
    },
    stamp: syslog("Sep 22"),
    rows: [
      ...each(
        0,
        5400,
        30,
        () =>
          `ns${chance.int(1, 3)} named[77]: client 10.1.0.${chance.int(2, 250)}: query: www.example.net IN A + (10.1.0.53)`,
      ),
      ...each(5, 1500, 300, () => "ns2 named[78]: zone example.net/IN: refresh: serial 2025092101 is current"),
      [1620, "ns1 named[77]: zone example.net/IN: loaded serial 202509220"],
      ...each(
        1800,
        3600,
        300,
        () =>
          "ns2 named[78]: zone example.net/IN: serial number (202509220) received from primary 10.1.0.53 < ours (2025092101)",
      ),
      ...each(
        3700,
        5395,
        6,
        () => `app${chance.int(1, 5)} orders[9]: ERROR could not resolve pay.example.net: name or service not known`,
      ),
      ...each(3720, 5395, 10, () => `app${chance.int(1, 5)} orders[9]: ERROR payment request failed, giving up`),
      ...each(3650, 5395, 300, () => "ns2 named[78]: zone example.net/IN: expired"),
    ],
    words: [
      [
        /serial number \((\d+)\) received from primary (\S+) < ours \((\d+)\)/,
        "primary $2 offers version $1, older than the $3 held here, kept as it is",
      ],
      [/loaded serial (\d+)/, "now at version $1"],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e10-radius-secret.log",
      category: "config",
      component: "10.4.0.9",
      cause: "the access controller 10.4.0.9 uses another shared secret than the RADIUS server",
      any: ["secret"],
    },
    stamp: syslog("Sep 23"),
    rows: [
      ...each(
        0,
        2400,
        14,
        () =>
          `aaa1 radiusd[5]: (${chance.int(100, 999)}) Login OK: [user${chance.int(1, 90)}] (from client wlc-${chance.pick(["east", "north"])})`,
      ),
      [905, "wlc-west provisioning[3]: template site-west pushed, 14 settings changed"],
      ...each(
        960,
        2395,
        80,
        () =>
          "aaa1 radiusd[5]: Info: Dropping packet without response: invalid Message-Authenticator from 10.4.0.9, shared secret is incorrect",
      ),
      ...each(
        970,
        2395,
        5,
        () =>
          `ap-west-${chance.int(1, 30)} hostapd: ERROR authentication server does not answer, station ${chance.int(10, 99)}:ab:cd rejected`,
      ),
      ...each(990, 2395, 12, () => `wlc-west aaa[3]: ERROR AAA server 10.4.0.2 marked dead`),
      ...each(1000, 2395, 30, () => `helpdesk ticket[1]: CRITICAL ${chance.int(5, 50)} reports of failed Wi-Fi logins`),
    ],
    words: [
      [
        /Dropping packet without response: invalid Message-Authenticator from (\S+), shared secret is incorrect/,
        "ignored a request of $1: it was signed with a secret other than ours",
      ],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e11-asterisk-rtp.log",
      category: "config",
      component: "rtp.conf",
      cause: "the reload narrowed the range of RTP ports to twenty",
      any: ["rtp"],
    },
    stamp: bracket("2025-09-24"),
    rows: [
      ...each(
        0,
        3000,
        15,
        () =>
          `VERBOSE[21] pbx.c: Executing [${chance.int(100, 199)}@internal:1] Dial("PJSIP/trunk-${chance.int(1000, 9999)}")`,
      ),
      [1200, "NOTICE[21] res_rtp_asterisk.c: RTP allocating from port range 10000 -> 10019"],
      [1199, "NOTICE[21] loader.c: Reloading module res_rtp_asterisk.so (rtp.conf changed)"],
      ...each(
        1290,
        2995,
        100,
        () => "NOTICE[30] res_rtp_asterisk.c: Oh dear... we couldn't allocate a port for RTP instance",
      ),
      ...each(1295, 2995, 6, () => `ERROR[30] chan_pjsip.c: Unable to create PJSIP channel, cause 44`),
      ...each(1300, 2995, 8, () => `ERROR[31] app_queue.c: Nobody answered caller ${chance.int(600, 699)}, hanging up`),
      ...each(1310, 2995, 30, () => "WARNING[40] sbc: trunk provider answers 503 to INVITE"),
    ],
    words: [
      [/Oh dear\.\.\. we couldn't allocate a port for RTP instance/, "no media socket is free for a new RTP stream"],
      [
        /RTP allocating from port range 10000 -> 10019/,
        "media sockets for RTP lie between 10000 and 10019 from now on",
      ],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e12-slurm-munge.log",
      category: "config",
      component: "c07",
      cause: "node c07 came back from its reinstallation with another munge key",
      any: ["munge", "credential", "key"],
      all: ["c07"],
    },
    stamp: syslog("Sep 25"),
    rows: [
      ...each(
        0,
        3000,
        20,
        () =>
          `ctl slurmctld[9]: sched: Allocate JobId=${chance.int(7000, 7999)} NodeList=c${chance.pick(["03", "04", "05", "06"])} #CPUs=16`,
      ),
      [1080, "c07 provision[1]: reinstalled from image compute-12, munge key generated"],
      ...each(1100, 2990, 90, () => "c07 munged[40]: Info: Unauthorized credential for client UID=0: key does not fit"),
      ...each(1110, 2995, 9, () => `ctl slurmctld[9]: error: Nodes c07 not responding`),
      ...each(
        1130,
        2995,
        11,
        () => `ctl slurmctld[9]: error: Batch JobId=${chance.int(7000, 7999)} missing from node c07, requeued`,
      ),
      ...each(
        1140,
        2995,
        16,
        () => `portal jobs[2]: ERROR job ${chance.int(7000, 7999)} of user${chance.int(1, 40)} failed with NODE_FAIL`,
      ),
    ],
    words: [
      [
        /Unauthorized credential for client UID=0: key does not fit/,
        "token of UID=0 refused, it was sealed with a key that is not ours",
      ],
      [/reinstalled from image compute-12, munge key generated/, "set up anew from compute-12 with a fresh munge key"],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e13-bgp-max-prefix.log",
      category: "network",
      component: "192.0.2.1",
      cause: "the neighbour 192.0.2.1 announced more prefixes than the limit allows and the session was closed",
      any: ["prefix"],
    },
    stamp: syslog("Sep 26"),
    rows: [
      ...each(
        0,
        2400,
        60,
        () => `edge1 bgpd[6]: neighbor 192.0.2.${chance.pick([1, 5])} keepalive, ${chance.int(900, 940)} prefixes`,
      ),
      ...each(10, 2400, 25, () => `mail1 relay[2]: delivered ${chance.int(5, 20)} messages to example.org`),
      [1212, "edge1 bgpd[6]: neighbor 192.0.2.1 sent 1001 prefixes, maximum-prefix is 1000, closing the session"],
      [1213, "edge1 zebra[7]: default route via 192.0.2.1 removed"],
      ...each(1216, 2395, 4, () => `mail1 relay[2]: ERROR connect to mx.example.org: Network is unreachable`),
      ...each(1218, 2395, 6, () => `web1 shop[8]: ERROR payment gateway: Network is unreachable`),
      ...each(1260, 2395, 60, () => "edge1 bgpd[6]: neighbor 192.0.2.5 keepalive, 12 prefixes"),
    ],
    words: [
      [
        /neighbor 192\.0\.2\.1 sent 1001 prefixes, maximum-prefix is 1000, closing the session/,
        "192.0.2.1 tells of 1001 prefixes where 1000 are allowed, peering ended",
      ],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e14-jenkins-inodes.log",
      category: "resource",
      component: "/var/lib/jenkins",
      cause: "the file system of the build agent has no free inodes although it has free space",
      any: ["inode"],
    },
    stamp: iso("2025-09-27"),
    rows: [
      ...each(
        0,
        3600,
        120,
        (s) => `agent-5 info disk /var/lib/jenkins space 41% inodes ${Math.min(100, 71 + Math.floor(s / 60))}%`,
      ),
      ...each(
        20,
        1700,
        30,
        () => `controller info build app-${chance.int(1, 30)} #${chance.int(100, 400)} finished: SUCCESS`,
      ),
      ...each(1750, 3595, 7, () => `agent-5 error cannot create workspace file: No space left on device`),
      ...each(
        1752,
        3595,
        9,
        () => `controller error build app-${chance.int(1, 30)} #${chance.int(100, 400)} finished: FAILURE`,
      ),
      ...each(1760, 3595, 13, () => `chatops error pipeline release-${chance.int(1, 9)} blocked, 3 failures in a row`),
    ],
    words: [[/space 41% inodes (\d+)%/, "has 41% of its bytes and $1% of its inodes in use"]],
  }),
  (chance) => ({
    truth: {
      file: "e15-workflow-replay.log",
      category: "software",
      component: "billing-worker",
      cause:
        "build 4.2.0 of billing-worker changed the order of the workflow's steps, so that running workflows cannot be replayed",
      any: ["replay", "determin", "4\\.2\\.0"],
    },
    stamp: iso("2025-09-28"),
    rows: [
      ...each(0, 3000, 14, () => `billing-worker info completed task of workflow invoice-${chance.int(1000, 9999)}`),
      [1200, "billing-worker info build 4.2.0 polls task queue billing"],
      ...each(
        1215,
        2990,
        70,
        () =>
          `billing-worker info workflow task of invoice-${chance.int(1000, 9999)}: replayed command StartTimer does not match history event ActivityTaskScheduled ChargeCard`,
      ),
      ...each(
        1230,
        2995,
        6,
        () => `frontend error workflow invoice-${chance.int(1000, 9999)} task timed out, attempt ${chance.int(2, 30)}`,
      ),
      ...each(1240, 2995, 9, () => `api error POST /invoices 504 waiting for workflow result`),
      ...each(1300, 2995, 40, () => `pager critical invoice latency above 60 s`),
    ],
    words: [
      [
        /workflow task of (\S+): replayed command StartTimer does not match history event ActivityTaskScheduled ChargeCard/,
        "cannot replay $1: the code starts a timer where the record charges a card",
      ],
    ],
  }),
  (chance) => ({
    truth: {
      file: "e16-nas-disk-removed.log",
      category: "hardware",
      component: "da3",
      cause: "the disk da3 dropped out of the pool tank",
      any: ["da3"],
    },
    stamp: syslog("Sep 29"),
    rows: [
      ...each(
        0,
        2400,
        18,
        () => `nas1 smbd[31]: user${chance.int(1, 60)} opened file projects/${chance.int(1, 400)}.dwg`,
      ),
      ...each(700, 1100, 100, () => "nas1 kernel: (da3:mps0:0:11:0): READ(10). CDB retried, 2 more tries remain"),
      [1150, "nas1 kernel: da3 at mps0 bus 0 target 11 lun 0 detached"],
      [1151, "nas1 zed[12]: vdev da3 of pool tank left, pool tank is suspended"],
      ...each(1160, 2395, 5, () => `nas1 smbd[31]: ERROR projects/${chance.int(1, 400)}.dwg: NT_STATUS_IO_TIMEOUT`),
      ...each(
        1165,
        2395,
        8,
        () => `cad${chance.int(1, 20)} viewer: ERROR cannot save drawing, network path not available`,
      ),
      ...each(1170, 2395, 15, () => `backup1 job[4]: ERROR share \\\\nas1\\projects timed out`),
    ],
    words: [
      [/da3 at mps0 bus 0 target 11 lun 0 detached/, "da3 is gone from mps0"],
      [/vdev da3 of pool tank left, pool tank is suspended/, "tank waits: its member da3 cannot be reached"],
    ],
  }),
  // Healthy, with words that frighten.
  (chance) => ({
    truth: {
      file: "f1-ceph-scrub.log",
      category: "none",
      cause: "scrubs that find nothing and one slow request that completed",
    },
    stamp: iso("2025-09-15"),
    rows: [
      ...each(
        0,
        3000,
        40,
        () => `osd.${chance.int(1, 8)} [INF] 2.${chance.int(10, 99)} deep-scrub ok, 0 errors, 0 unreadable sectors`,
      ),
      ...each(
        7,
        3000,
        25,
        () => `osd.${chance.int(1, 8)} [INF] perf commit_latency_ms=${chance.int(12, 20)} ops=${chance.int(300, 420)}`,
      ),
      [1441, "osd.3 [WRN] slow request osd_op(client.41) took 31 s, completed"],
      [1500, "mon.a [WRN] Health check failed: 1 slow ops (SLOW_OPS)"],
      [1530, "mon.a [INF] Health check cleared: SLOW_OPS, cluster is now healthy"],
    ],
  }),
  (chance) => ({
    truth: { file: "f2-radius-rejects.log", category: "none", cause: "wrong passwords at an ordinary rate" },
    stamp: syslog("Sep 23"),
    rows: [
      ...each(
        0,
        3000,
        9,
        () =>
          `aaa1 radiusd[5]: Login OK: [user${chance.int(1, 90)}] (from client wlc-${chance.pick(["east", "west"])})`,
      ),
      ...each(
        30,
        3000,
        110,
        () => `aaa1 radiusd[5]: Login incorrect (mschap: MS-CHAP2-Response is incorrect): [user${chance.int(1, 90)}]`,
      ),
      ...each(
        400,
        3000,
        700,
        () => "aaa1 radiusd[5]: Error: Ignoring request to auth address from unknown client 10.9.9.9",
      ),
    ],
  }),
  (chance) => ({
    truth: { file: "f3-varnish-ordinary.log", category: "none", cause: "a few failed fetches that were tried again" },
    stamp: syslog("Sep 14"),
    rows: [
      ...each(
        0,
        3600,
        60,
        (s) =>
          `cache1 varnishd[811]: stats bans=${chance.int(10, 40)} objects=${chance.int(41000, 43000)} requests=${100000 + s * 31}`,
      ),
      ...each(
        5,
        3590,
        11,
        () => `cache1 varnishncsa[820]: GET /p/${chance.int(100, 999)} 200 hit ${chance.int(1, 4)}ms`,
      ),
      ...each(300, 3500, 800, () => "cache1 varnishd[811]: Error: backend fetch failed, retried, ok"),
      [1811, "cache1 varnishd[811]: Backend_health - boot.web2 Went sick -------H 2 3 5 0.000 0.002"],
      [
        1816,
        "cache1 varnishd[811]: Backend_health - boot.web2 Back healthy 4---X-RH 3 3 5 0.002 0.002 HTTP/1.1 200 OK",
      ],
    ],
  }),
  (chance) => ({
    truth: {
      file: "f4-flink-ordinary.log",
      category: "none",
      cause: "one declined checkpoint, the next ones complete",
    },
    stamp: plain("2025-09-18"),
    rows: [
      ...each(
        60,
        5400,
        60,
        (_, i) => `INFO  CheckpointCoordinator - Completed checkpoint ${i + 1} in ${chance.int(800, 1100)} ms`,
      ),
      ...each(
        10,
        5400,
        30,
        (s) => `INFO  ErrorHandlerOperator - records out ${s * 120}, dead letters ${chance.int(0, 2)}`,
      ),
      [2411, "WARN  CheckpointCoordinator - Checkpoint 40 declined: task Sink not ready, will be tried again"],
      ...each(
        700,
        5400,
        900,
        () =>
          "WARN  RetryableSink - java.io.IOException: connection reset by peer, attempt 1 of 5 failed; attempt 2 succeeded",
      ),
    ],
  }),
  (chance) => ({
    truth: { file: "f5-bind-noise.log", category: "none", cause: "refused strangers and lame servers, as always" },
    stamp: syslog("Sep 22"),
    rows: [
      ...each(
        0,
        3600,
        12,
        () => `ns1 named[77]: client 10.1.0.${chance.int(2, 250)}: query: www.example.net IN A + (10.1.0.53)`,
      ),
      ...each(
        21,
        3600,
        60,
        () => `ns1 named[77]: client 203.0.113.${chance.int(2, 250)}: query (cache) 'isc.org/ANY/IN' denied`,
      ),
      ...each(
        45,
        3600,
        150,
        () =>
          `ns1 named[77]: REFUSED unexpected RCODE resolving 'host${chance.int(1, 60)}.invalid/A/IN': 198.51.100.${chance.int(2, 50)}#53`,
      ),
      ...each(100, 3600, 400, () => "ns1 named[77]: lame server resolving 'old.example.com': 198.51.100.9#53"),
    ],
  }),
  (chance) => ({
    truth: { file: "f6-drill.log", category: "none", cause: "a planned drill whose checks pass" },
    stamp: iso("2025-09-30"),
    rows: [
      ...each(0, 2400, 20, () => `runner info step ${chance.int(1, 90)} done, fatal=0 error=0 failed assertions: 0`),
      [600, "drill info planned drill 14 begins: worker-3 will be killed"],
      [603, "supervisor warn worker-3 killed by signal 9 (drill 14)"],
      [606, "supervisor info worker-3 started again, healthy after 2 s"],
      [660, "drill info planned drill 14 passed: no request failed"],
      ...each(40, 2400, 90, () => `runner info panic button test: pressed, released, ok`),
      ...each(70, 2400, 300, () => "runner warn disk check: 0 unreadable sectors, 0 corrupt files, 0 lost"),
    ],
  }),
];

/** The cases in the order they were written; the same bytes every time. */
export function ninthCases(): WrittenCase[] {
  return drafts.map((draft, index) => {
    const { truth, rows, stamp, words = [] } = draft(generator(9000 + index));
    const sorted = rows.map((row, at) => ({ row, at })).sort((a, b) => a.row[0] - b.row[0] || a.at - b.at);
    const lines = sorted.map(({ row: [seconds, text] }) => `${stamp(seconds)} ${text}`);
    const reworded = lines.map((line) => words.reduce((text, [from, to]) => text.replace(from, to), line));
    return {
      truth: { any: [], all: [], ...truth },
      text: `${lines.join("\n")}\n`,
      reworded: `${reworded.join("\n")}\n`,
    };
  });
}
