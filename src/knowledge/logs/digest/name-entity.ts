/**
 * The name by which a component is known wherever it is written differently (root-cause spec §2.5): the last segment of
 * a dotted or slashed name, without the part behind `$`, `#` or `@`, a version or a process number. `dfs.DataNode$Xceiver` and
 * `org.apache.hadoop.hdfs.server.datanode.DataNode` are both `DataNode`.
 */
export function nameEntity(name: string): string {
  const whole = name.trim().replace(/\[\d*\]$/, "");
  if (/^[\d.:/]+$/.test(whole) || /^\S+\.(?:com|net|org|io|local|internal|cluster\.local)$/i.test(whole)) return whole;
  const outer = whole.replace(/(?<=\w)[$#].*$/, "").replace(/@[\w.-]*$/, "");
  const segment = outer
    .split(/[./\\]+/)
    .findLast((part) => /[A-Za-z]{2}/.test(part) && !endings.has(part.toLowerCase()));
  const [, instance] = /^[a-z]+\.(\d{1,3})$/.exec(outer) ?? [];
  const last = instance === undefined ? (segment ?? outer) : outer;
  return aliases.get(last.toLowerCase()) ?? last;
}

/** True when two names are the same thing: the same words in the same order, however they are put together. */
export function areSameEntity(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || keyEntity(a) === keyEntity(b);
}

/** The words of a name in lower case, so that `data-node`, `data_node` and `DataNode` are one. */
export function keyEntity(name: string): string {
  return nameEntity(name)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[-_.\s]+/g, " ")
    .trim()
    .toLowerCase()
    .replaceAll(" ", "");
}

/** Endings that say what kind of a file or unit it is, not which. */
const endings = new Set([
  "service",
  "java",
  "py",
  "go",
  "js",
  "ts",
  "rb",
  "log",
  "conf",
  "scope",
  "slice",
  "socket",
  "exe",
]);

/** Short forms and former names of programs that logs are full of. */
const aliases = new Map(
  [
    ["DataNode", "dn datanode data-node"],
    ["NameNode", "nn namenode fsnamesystem fsnamesystem.audit name-node"],
    ["ResourceManager", "rm resourcemanager"],
    ["NodeManager", "nm nodemanager"],
    ["ApplicationMaster", "mrappmaster appmaster applicationmaster am"],
    ["ZooKeeper", "zk zookeeper quorumpeer quorumpeermain"],
    ["PostgreSQL", "postgres postgresql psql pg"],
    ["MySQL", "mysqld mysql mariadbd mariadb"],
    ["Kubernetes", "k8s kubernetes"],
    ["Elasticsearch", "es elasticsearch"],
    ["RabbitMQ", "rabbit rabbitmq rabbitmq-server"],
    ["CoreDNS", "coredns kube-dns"],
  ].flatMap(([name = "", forms = ""]) => forms.split(" ").map((form) => [form, name] as const)),
);

/** A file by the name of the program whose log it is: `rates` for `logs/rates.log.gz`. */
export function nameFile(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/(?:\.(?:log|txt|out|jsonl?|gz|\d+))+$/i, "");
}
