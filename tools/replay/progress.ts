import { Presets, SingleBar } from 'cli-progress';

/** Shows the progress of a replay. */
export interface Progress {
  note(line: string): void;
  start(rows: number): void;
  update(counts: { readonly done: number; readonly accepted: number; readonly refused: number }): void;
  stop(): void;
}

const LINE_INTERVAL_MS = 5_000;

const count = (value: number): string => value.toLocaleString('en-US');

/** A progress bar for a terminal. */
export const progressBar = (stream: NodeJS.WritableStream): Progress => {
  const bar = new SingleBar(
    {
      stream,
      format:
        '  {bar} {percentage} % | {value} of {total} rows | {accepted} accepted | {refused} refused | {eta_formatted} left',
      barsize: 24,
      hideCursor: true,
      // Otherwise the bar would handle Ctrl-C itself.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  return {
    note: (line) => stream.write(`${line}\n`),
    start: (rows) => bar.start(rows, 0, { accepted: 0, refused: 0 }),
    update: ({ done, accepted, refused }) =>
      bar.update(done, { accepted: count(accepted), refused: count(refused) }),
    stop: () => bar.stop(),
  };
};

/** A progress line every few seconds, for logs and pipes. `now` returns milliseconds. */
export const progressLines = (write: (line: string) => void, now: () => number): Progress => {
  let total = 0;
  let last = 0;
  return {
    note: write,
    start(rows) {
      [total, last] = [rows, now()];
    },
    update({ done, accepted, refused }) {
      if (now() - last < LINE_INTERVAL_MS) return;
      last = now();
      write(`${count(done)} of ${count(total)} rows, ${count(accepted)} accepted, ${count(refused)} refused`);
    },
    stop: () => undefined,
  };
};
