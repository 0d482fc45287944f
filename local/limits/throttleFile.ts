import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Throughput } from './throughput.ts';

/** The share of calls to throttle, by table, as in `{"ledger": 0.5}`. */
const Shares = z.record(z.string(), z.number().min(0).max(1));

const CHECK_INTERVAL_MS = 500;

interface ThrottleFileOptions {
  file: string;
  throughput: Throughput;
  /** The name of a table in the engine, by the name that the file uses. Undefined for an unknown table. */
  tableNamed: (name: string) => string | undefined;
  log: (line: string) => void;
}

/**
 * Throttles tables as a file says, while the file exists. An operator can so watch a throttled service. Returns a function
 * that stops it.
 */
export const watchThrottleFile = ({
  file,
  throughput,
  tableNamed,
  log,
}: ThrottleFileOptions): (() => void) => {
  let content = '';
  let throttled: string[] = [];

  const apply = (shares: z.infer<typeof Shares>): void => {
    for (const table of throttled) {
      for (const access of ['write', 'read'] as const) throughput.throttle(table, access, 0);
    }
    throttled = [];
    for (const [name, share] of Object.entries(shares)) {
      const table = tableNamed(name);
      if (table === undefined) throw new Error(`there is no table ${name}`);
      for (const access of ['write', 'read'] as const) throughput.throttle(table, access, share);
      throttled.push(table);
      log(`Throttling ${share * 100} % of the calls to the table ${name}`);
    }
    if (throttled.length === 0) log('Throttling ended');
  };

  const check = (): void => {
    try {
      const found = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (found === content) return;
      content = found;
      apply(found.trim() === '' ? {} : Shares.parse(JSON.parse(found)));
    } catch (error) {
      log(`${file} has no effect: ${error instanceof z.ZodError ? z.prettifyError(error) : String(error)}`);
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
};
