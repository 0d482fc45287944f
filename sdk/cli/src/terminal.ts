import type { Writable } from 'node:stream';
import { safeJson } from './text.ts';

/** What a command reads and writes besides the service. Tests pass their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Asks for a secret without showing it, or reads it from a pipe. */
  readonly readSecret: (question: string) => Promise<string>;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

const BOLD = '\u001b[1m';
const PLAIN = '\u001b[0m';

export const hasColour = ({ env, stdout }: Terminal): boolean =>
  stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

export const bold = (terminal: Terminal, text: string): string =>
  hasColour(terminal) ? `${BOLD}${text}${PLAIN}` : text;

/** Waits until the reader of a pipe has caught up, so that a long list does not fill the memory. */
export const writeLine = (terminal: Terminal, line: string): Promise<void> =>
  new Promise((resolve, reject) => {
    terminal.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });

/** Writes a table, whose first line has the titles. */
export const writeTable = async (terminal: Terminal, [titles = '', ...lines]: readonly string[]) => {
  await writeLine(terminal, bold(terminal, titles));
  for (const line of lines) await writeLine(terminal, line);
};

export const writeJson = (terminal: Terminal, value: unknown): Promise<void> =>
  writeLine(terminal, safeJson(value));

/** A message for people. Standard output belongs to the result. */
export const note = (terminal: Terminal, message: string): void => {
  terminal.stderr.write(`${message}\n`);
};

const BAR_WIDTH = 30;

/** A progress bar on standard error. Without a terminal there nothing is written. */
export const progressBar = ({ stderr }: Terminal, label: string) => {
  let isDrawn = false;
  return {
    show: (done: number, total: number): void => {
      if (stderr.isTTY !== true) return;
      isDrawn = true;
      const filled = total === 0 ? 0 : Math.min(BAR_WIDTH, Math.floor((BAR_WIDTH * done) / total));
      const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
      stderr.write(`\r\u001b[K${label} [${bar}] ${total === 0 ? '' : `${done}/${total}`}`);
    },
    end: (): void => {
      if (isDrawn) stderr.write('\r\u001b[K');
      isDrawn = false;
    },
  };
};
