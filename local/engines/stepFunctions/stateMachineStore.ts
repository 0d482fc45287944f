import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

export const ExecutionStatus = z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']);

/** How an execution ended. The output is JSON. */
export interface ExecutionEnding {
  status: Exclude<z.infer<typeof ExecutionStatus>, 'RUNNING'>;
  output?: string | undefined;
  error?: string | undefined;
  cause?: string | undefined;
}

const Execution = z.object({
  /** Ascending in start order. */
  id: z.number(),
  arn: z.string(),
  machineArn: z.string(),
  name: z.string(),
  status: ExecutionStatus,
  /** JSON, unchanged. */
  input: z.string(),
  output: z.string().nullable(),
  error: z.string().nullable(),
  cause: z.string().nullable(),
  /** Epoch milliseconds, like `stoppedAt`. */
  startedAt: z.number(),
  stoppedAt: z.number().nullable(),
});
export type Execution = z.infer<typeof Execution>;

export interface ExecutionQuery {
  machineArn: string;
  status?: Execution['status'] | undefined;
  /** Only executions that started before the one with this id. */
  before?: number | undefined;
  limit: number;
}

/** Durable store of all executions. A write survives the end of the process. */
export interface ExecutionStore {
  find(arn: string): Execution | undefined;
  add(execution: Pick<Execution, 'arn' | 'machineArn' | 'name' | 'input' | 'startedAt'>): Execution;
  /** Ends a running execution. Does nothing if it has already ended. */
  end(arn: string, ending: ExecutionEnding, at: number): void;
  /** Newest first. */
  list(query: ExecutionQuery): Execution[];
  running(): Execution[];
  close(): void;
}

/** Step Functions deletes an execution 90 days after its end. Its name can then be reused. */
const RETENTION_MS = 90 * 24 * 3_600_000;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS executions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, arn TEXT UNIQUE NOT NULL, machineArn TEXT NOT NULL, name TEXT NOT NULL,
    status TEXT NOT NULL, input TEXT NOT NULL, output TEXT, error TEXT, cause TEXT,
    startedAt INTEGER NOT NULL, stoppedAt INTEGER
  );
  CREATE INDEX IF NOT EXISTS byMachine ON executions (machineArn, id)`;

/** Opens the store and deletes executions past their retention at `now` (epoch milliseconds). */
export function openExecutions(file: string, now: number): ExecutionStore {
  const database = new DatabaseSync(file);
  database.exec(SCHEMA);
  database.prepare('DELETE FROM executions WHERE stoppedAt < ?').run(now - RETENTION_MS);
  const find = database.prepare('SELECT * FROM executions WHERE arn = ?');
  const running = database.prepare("SELECT * FROM executions WHERE status = 'RUNNING' ORDER BY id");
  const add = database.prepare(
    "INSERT INTO executions (arn, machineArn, name, status, input, startedAt) VALUES (?, ?, ?, 'RUNNING', ?, ?) RETURNING *",
  );
  const end = database.prepare(
    `UPDATE executions SET status = ?, output = ?, error = ?, cause = ?, stoppedAt = ?
     WHERE arn = ? AND status = 'RUNNING'`,
  );
  const list = database.prepare(
    `SELECT * FROM executions WHERE machineArn = ? AND (? IS NULL OR status = ?) AND id < ?
     ORDER BY id DESC LIMIT ?`,
  );
  return {
    find(arn) {
      const row = find.get(arn);
      return row && Execution.parse(row);
    },
    add: ({ arn, machineArn, name, input, startedAt }) =>
      Execution.parse(add.get(arn, machineArn, name, input, startedAt)),
    end: (arn, ending, at) => {
      const { status, output = null, error = null, cause = null } = ending;
      end.run(status, output, error, cause, at, arn);
    },
    list: ({ machineArn, status = null, before = Number.MAX_SAFE_INTEGER, limit }) =>
      list.all(machineArn, status, status, before, limit).map((row) => Execution.parse(row)),
    running: () => running.all().map((row) => Execution.parse(row)),
    close: () => database.close(),
  };
}
