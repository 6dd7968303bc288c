import type { HeaderField, HeaderFormat } from "./header-format.ts";
import type { TimeLayout } from "./timestamp-reader.ts";

const level = "TRACE|DEBUG|INFO|NOTICE|WARNING|WARN|ERROR|SEVERE|FATAL|CRITICAL|FAILURE|FINEST|FINER|FINE|CONFIG";
const anyLevel = `${level}|trace|debug|info|notice|warning|warn|error|err|critical|crit|alert|emerg|fatal|panic|Trace|Debug|Information|Info|Notice|Warning|Warn|Error|Critical|Fatal|DBG|INF|WRN|ERR|FTL|VRB`;
const month = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec";
const clock = "\\d{1,2}:\\d{2}:\\d{2}";
const date = "\\d{4}[-/.]\\d{2}[-/.]\\d{2}";
const zoned = "(?: ?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?";
const zoneName = "(?:UTC|GMT|[ECMP][SD]T|CES?T|BST|IST|JST)";
const stamp = `${date}[T _]${clock}(?:[.,:]\\d+)?${zoned}`;
const process = "[^\\s:\\[]+(?: [\\d.]+)?|[A-Z][\\w .&-]*?(?=\\[\\d)";
const pid = "(?:\\[[^\\]]*\\])?(?: ?\\([^)]*\\))?";

/** Every layout that is recognised, the more specific before the more general (root-cause spec §2.2). */
export const formats: readonly HeaderFormat[] = [
  defineFormat("bgl", "BGL and other HPC systems: label epoch date node time node type component level", "YMDhmsf", [
    `^\\S+ \\d{9,10} \\d{4}\\.\\d\\d\\.\\d\\d (\\S+) (\\d{4}-\\d\\d-\\d\\d-\\d\\d\\.\\d\\d\\.\\d\\d\\.\\d+) \\S+ \\S+ (\\S+) (${level}) ?`,
    ["host", "time", "component", "level"],
  ]),
  defineFormat("thunderbird", "syslog behind label, epoch, date and node", "epoch", [
    `^\\S+ (\\d{9,10}) \\d{4}\\.\\d\\d\\.\\d\\d (\\S+) (?:${month}) +\\d+ ${clock} \\S+ (?:(${process})${pid}: ?)?`,
    ["time", "host", "component"],
  ]),
  defineFormat("hpc", "id node component state epoch flag", "epoch", [
    "^\\d+ (\\S+) (\\S+) \\S+ (\\d{9,10}) -?\\d+ ?",
    ["host", "component", "time"],
  ]),
  defineFormat("hdfs", "yymmdd hhmmss pid level component", "yMDhmsf", [
    `^(\\d{6} \\d{6}) \\d+ (${level}) ([^\\s:]+): ?`,
    ["time", "level", "component"],
  ]),
  defineFormat("zookeeper", "date time - level [thread:class@line] -", "YMDhmsf", [
    `^(${stamp}) - (${level}) +\\[(?:.*:)?([^:\\]\\s]*)@\\d*\\] - ?`,
    ["time", "level", "component"],
  ]),
  defineFormat("hadoop", "log4j: date time level [thread] class", "YMDhmsf", [
    `^(${stamp}) +(${level}) +\\[([^\\]]*(?:\\[[^\\]]*\\][^\\]]*)*)\\] ([\\w.$-]+)(?:\\([^)]*\\))?: ?`,
    ["time", "level", "bracket", "component"],
  ]),
  defineFormat("spark", "yy/mm/dd time level class", "yMDhmsf", [
    `^(\\d\\d/\\d\\d/\\d\\d ${clock}) (${level}) ([^\\s:]+): ?`,
    ["time", "level", "component"],
  ]),
  defineFormat("openstack", "oslo: [file] date time pid level module [request]", "YMDhmsf", [
    `^(?:[\\w.-]+\\.log\\S* )?(${date} ${clock}\\.\\d+) \\d+ (${level}) (\\S+) (?:\\[[^\\]]*\\] ?)?`,
    ["time", "level", "component"],
  ]),
  defineFormat("apache", "[weekday month day time year] [level]", "NDhmsY", [
    `^\\[(?:\\w{3} )?((?:${month}) +\\d+ ${clock}(?:\\.\\d+)? \\d{4})\\] \\[(?:(\\w+):)?(\\w+)\\](?: \\[pid [^\\]]*\\])? ?`,
    ["time", "component", "level"],
  ]),
  defineFormat(
    "nginx",
    "nginx error: date time [level] pid#tid:",
    "YMDhmsf",
    [`^(\\d{4}/\\d\\d/\\d\\d ${clock}) \\[(\\w+)\\] \\d+#\\d+: (?:\\*\\d+ )?`, ["time", "level"]],
    "nginx",
  ),
  defineFormat("access", "web server access: address - user [time] request", "DNYhms", [
    '^(\\S+) \\S+ (?:\\S+ )?\\[(\\d{1,2}/\\w{3}/\\d{4}:\\d\\d:\\d\\d:\\d\\d(?: [+-]\\d{4})?)\\] (?="(?:[^"\\\\]|\\\\.)*"(?: (\\d{3})(?= |$))?)',
    ["client", "time", "status"],
  ]),
  defineFormat(
    "rabbitmq",
    "Erlang: date time [level] <process>",
    "YMDhmsf",
    [`^(${stamp}) \\[(\\w+)\\] <[\\d.]+> `, ["time", "level"]],
    "rabbitmq",
  ),
  defineFormat(
    "elasticsearch",
    "[time][level][logger] [node]",
    "YMDhmsf",
    [
      `^\\[(${stamp})\\]\\[(\\w+) *\\]\\[([^\\]\\s]+) *\\] (?:\\[([\\w.-]+)\\] ?)?`,
      ["time", "level", "component", "host"],
    ],
    "elasticsearch",
  ),
  defineFormat("kafka", "[time] level message (logger)", "YMDhmsf", [
    `^\\[(${stamp})\\] (${level}) (?=.*\\(((?:[a-z][\\w$]*\\.)+[A-Z][\\w$.]*)\\)$)`,
    ["time", "level", "component"],
  ]),
  defineFormat(
    "postgres",
    "date time zone [pid] … level:",
    "YMDhmsf",
    [
      `^(${date} ${clock}(?:\\.\\d+)?)(?: ${zoneName})? \\[\\d+(?:-\\d+)?\\](?: [^\\s:]+@[^\\s:]+)? (LOG|DEBUG\\d?|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC): +`,
      ["time", "level"],
    ],
    "postgres",
  ),
  defineFormat(
    "mysql",
    "time thread [level] [code] [part]",
    "YMDhmsf",
    [`^(${stamp}) \\d+ \\[(\\w+)\\] \\[MY-\\d+\\] \\[\\w+\\] `, ["time", "level"]],
    "mysqld",
  ),
  defineFormat("android", "logcat threadtime: mm-dd time pid tid level tag:", "MDhmsf", [
    `^((?:\\d{4}-)?\\d\\d-\\d\\d ${clock}\\.\\d+) +\\d+ +\\d+ ([VDIWEFA]) ([^:]*?) *: ?`,
    ["time", "level", "component"],
  ]),
  defineFormat("android-time", "logcat time: mm-dd time level/tag(pid):", "MDhmsf", [
    `^(\\d\\d-\\d\\d ${clock}\\.\\d+) ([VDIWEFA])/([^(]*?) *\\( *\\d+\\): ?`,
    ["time", "level", "component"],
  ]),
  defineFormat("android-brief", "logcat brief: level/tag(pid):", "any", [
    "^([VDIWEFA])/([^(]*?) *\\( *\\d+\\): ?",
    ["level", "component"],
  ]),
  defineFormat("cbs", "Windows servicing: date time, level component", "YMDhmsf", [
    `^(${date} ${clock}), (\\w+) +(\\S+)(?: +|$)`,
    ["time", "level", "component"],
  ]),
  defineFormat("windows-event", "Windows event log as text: time level source [event]", "YMDhmsf", [
    `^(${stamp}) +(Information|Warning|Error|Critical|Verbose) +([A-Za-z][\\w.&-]*(?: [\\w.&-]+){0,5}) ?\\[\\d+\\]:? +`,
    ["time", "level", "component"],
  ]),
  defineFormat("healthapp", "time|component|pid|", "YMDhmsf", [
    "^(\\d{8}-\\d{1,2}:\\d{1,2}:\\d{1,2}:\\d{1,3})\\|([^|]*)\\|\\d+\\|",
    ["time", "component"],
  ]),
  defineFormat("proxifier", "[mm.dd time] program -", "MDhmsf", [
    `^\\[(\\d\\d\\.\\d\\d ${clock})\\] (.+?) +- `,
    ["time", "component"],
  ]),
  defineFormat("syslog5424", "<priority>version time host app process message-id", "YMDhmsf", [
    `^<(\\d{1,3})>\\d+ (${stamp}|-) (\\S+) (\\S+) \\S+ \\S+ (?:-|(?:\\[(?:[^\\]"]|"(?:\\\\.|[^"\\\\])*")*\\])+) ?(?:\\ufeff)?`,
    ["priority", "time", "host", "component"],
  ]),
  defineFormat("syslog", "month day time host process[pid]:", "NDhms", [
    `^(?:<(\\d{1,3})>)?((?:${month}) +\\d+ (?:\\d{4} )?${clock}(?:\\.\\d+)?)(?: ${zoneName})? (\\S+) (?:(${process})${pid}: ?)?`,
    ["priority", "time", "host", "component"],
  ]),
  defineFormat("syslog-iso", "syslog with an ISO time: time host process[pid]:", "YMDhmsf", [
    `^(?:<(\\d{1,3})>)?(${date}T${clock}(?:\\.\\d+)?${zoned}) ([A-Za-z][\\w.-]*) ([^\\s:\\[]+)\\[\\d+\\]: ?`,
    ["priority", "time", "host", "component"],
  ]),
  defineFormat("glog", "level mmdd time thread file:line]", "mmddhmsf", [
    `^([IWEF])(\\d{4} ${clock}\\.\\d+) +\\d+ ([^\\]\\s:]+):\\d+\\] ?`,
    ["level", "time", "component"],
  ]),
  defineFormat("spring", "time level pid --- [thread] logger :", "YMDhmsf", [
    `^(${stamp}) +(${level}) +\\d+ --- \\[[^\\]]*\\] (?:\\[[^\\]]*\\] )?(\\S+) *: ?`,
    ["time", "level", "component"],
  ]),
  defineFormat("python", "time - logger - level -", "YMDhmsf", [
    `^\\[?(${stamp})\\]? - ([\\w.$/-]+) - (?:\\[?(${anyLevel})\\]?) - ?`,
    ["time", "component", "level"],
  ]),
  defineFormat(
    "iso-level",
    "any ISO time, up to four fields, a level, and optionally [thread] and logger:",
    "YMDhmsf",
    [
      `^[\\[(]?(${stamp})[\\])]?[\\s|,-]+(?:(?!(?:${anyLevel})\\b)([A-Za-z][\\w.-]*)[\\s|]+)?(?:(?!(?:${anyLevel})\\b)(?:[\\[(]?[\\w:.,#@/-]+[\\])]?|\\[ *\\w+ *\\]|\\{[\\w-]*\\})[\\s|]+){0,3}?[\\[(<"]?(${anyLevel})[\\])>"]?(?=[\\s:|,-])[\\s:|,-]*(?:[\\[<]((?<=\\[)[^\\]]*|[A-Za-z][\\w.$-]*(?=>))[\\]>] *[-:]? *)?(?:([A-Za-z][\\w.$/]*(?:[-#@][\\w]+)*)(?::\\d+)?(?: ?[:|] | - ))?`,
      ["time", "service", "level", "bracket", "component"],
    ],
  ),
  defineFormat("day-first", "dd-Mon-yyyy time level [thread] logger", "DNYhms", [
    `^\\[?(\\d{1,2}[- /](?:${month})[- /]\\d{4}[ :T]${clock}(?:[.,]\\d+)?)(?: [+-]\\d{4})?\\]?[\\s|,-]+(?:\\[([\\w.#:-]+)\\] +)?[\\[(]?(${anyLevel})[\\])]?:? +(?:\\[([^\\]]*)\\] *)?(?:((?:[a-z][\\w$]*\\.)+[\\w$.]+)(?: +- +|:? +))?`,
    ["time", "bracket", "level", "bracket", "component"],
  ]),
  defineFormat("level-thread", "level [thread] date time file:line -", "YMDhmsf", [
    `^(${level}) +\\[([^\\]]*)\\] (${stamp}) (?:([\\w.$-]+):\\d+)? *- ?`,
    ["level", "bracket", "time", "component"],
  ]),
  defineFormat("clock-level", "time of day, [thread], level, logger -", "hmsf", [
    `^(${clock}[.,]\\d{3}) (?:\\w+=\\S+ )*(?:\\[(?!(?:${anyLevel})\\])([^\\]]*)\\] )?(?:\\|-)?\\[?(${anyLevel})\\]? +(?:in )?(?:([A-Za-z][\\w.$]*)(?:@[0-9a-f]+)? - )?`,
    ["time", "bracket", "level", "component"],
  ]),
  defineFormat("epoch", "seconds since 1970:", "epoch", [
    "^\\[?(1\\d{9}(?:\\d{3})?(?:\\.\\d+)?)\\]?(?:: | +)(?=\\S)",
    ["time"],
  ]),
  defineFormat("iso", "any ISO time", "YMDhmsf", [
    `^[\\[(]?(${stamp})[\\])]?[\\s:|,-]*(?:std(?:out|err) [FP] )?`,
    ["time"],
  ]),
  defineFormat(
    "redis",
    "pid:role day month year time sign",
    "DNYhms",
    [`^\\d+:[A-Z] (\\d{1,2} (?:${month}) \\d{4} ${clock}(?:\\.\\d+)?) ([.*#-]) `, ["time", "level"]],
    "redis",
  ),
  defineFormat("dmesg", "[seconds since start]", "uptime", ["^\\[ *(\\d+\\.\\d{3,6})\\] ?", ["time"]]),
  defineFormat("level-first", "level: or [level] before the message", "any", [
    `^(?:\\[(${anyLevel})\\]|(${level}))(?:[ :|-]+)(?:\\[([^\\]]*)\\] *)?(?:([\\w.$/-]+): )?`,
    ["level", "level", "bracket", "component"],
  ]),
];

function defineFormat(
  name: string,
  about: string,
  layout: TimeLayout,
  [pattern, fields]: readonly [string, readonly HeaderField[]],
  program?: string,
): HeaderFormat {
  return { name, about, layout, pattern: new RegExp(pattern), fields, ...(program && { program }) };
}
