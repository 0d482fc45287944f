import { Presets, SingleBar } from 'cli-progress';

/** Shows how many events of the sample are readable. */
export interface SampleProgress {
  start(total: number): void;
  update(readable: number): void;
  stop(): void;
}

const LINE_INTERVAL_MS = 5_000;

const bar = (stream: NodeJS.WriteStream): SampleProgress => {
  const shown = new SingleBar(
    {
      stream,
      format: '  Loading the sample {bar} {value} of {total} events',
      barsize: 24,
      hideCursor: true,
      // Otherwise the bar would handle Ctrl-C itself.
      gracefulExit: false,
    },
    Presets.shades_classic,
  );
  return {
    start: (total) => shown.start(total, 0),
    update: (readable) => shown.update(readable),
    stop: () => shown.stop(),
  };
};

/** A line every few seconds, for logs and pipes. */
const lines = (stream: NodeJS.WriteStream, now: () => number): SampleProgress => {
  let [total, shownAt] = [0, 0];
  return {
    start(events) {
      [total, shownAt] = [events, now()];
      stream.write(`Loading the sample: ${total} events\n`);
    },
    update(readable) {
      if (now() - shownAt < LINE_INTERVAL_MS) return;
      shownAt = now();
      stream.write(`Loading the sample: ${readable} of ${total} events\n`);
    },
    stop: () => undefined,
  };
};

export const sampleProgress = (stream: NodeJS.WriteStream): SampleProgress =>
  stream.isTTY ? bar(stream) : lines(stream, Date.now);
