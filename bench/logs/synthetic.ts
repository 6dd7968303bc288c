/** Lines of a made-up order service, with ids, addresses, users, stack traces and a fault half way. */
export function* generateLines(count: number): Generator<string> {
  let seed = 42;
  const next = (limit: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (seed >>> 9) % limit;
  };
  for (let index = 0; index < count; index += 1) {
    const time = new Date(1_700_000_000_000 + index * 7).toISOString().replace("T", " ").replace(".", ",").slice(0, 23);
    const kind = next(messages.length);
    const make = messages[kind === failing && index < count / 2 ? failing - 1 : kind] ?? messages[0];
    yield `${time} ${make?.(next) ?? ""}`;
    if (index % 5_000 === 4_999) yield* ["java.io.IOException: Broken pipe", "\tat app.Net.write(Net.java:41)"];
  }
}

/** The message that only the second half has; the one before it is its counterpart of a healthy half. */
const failing = 6;

type Message = (next: (limit: number) => number) => string;

const users = ["mara", "jon", "li", "root", "svc-batch", "olga", "pete"];

const messages: Message[] = [
  (n) => `INFO [http-${n(40)}] app.web.Router: GET /orders/${n(1e6)}/items?page=${n(9)} took ${n(900)} ms status=200`,
  (n) => `INFO [http-${n(40)}] app.web.Router: POST /orders took ${n(900)} ms status=201 bytes=${n(1e5)}`,
  (n) =>
    `DEBUG [db-${n(8)}] app.db.Pool: connection ${n(64)} to 10.0.${n(4)}.${n(250)}:5432 acquired by ${users[n(7)]}`,
  (n) => `INFO [main] app.cache.Store: evicted ${n(5000)} entries of region orders_${n(16)} in ${n(40)}ms`,
  (n) =>
    `WARN [db-${n(8)}] app.db.Pool: slow query ${n(1e9).toString(16)} ran ${n(9000)} ms, rows=${n(1e4)}, plan=seq_scan`,
  (n) => `INFO [worker-${n(16)}] app.jobs.Runner: job job_${n(1e7)}_${n(99)} of user ${users[n(7)]} finished: ok`,
  (n) =>
    `ERROR [worker-${n(16)}] app.jobs.Runner: job job_${n(1e7)}_${n(99)} failed: Connection refused (10.0.3.${n(250)}:9092)`,
  (n) =>
    `INFO [sync] app.files.Copier: copied /var/data/part-${n(1e5)}.parquet to s3://bucket-${n(4)}/part-${n(1e5)} (${n(900)} KB)`,
];
