import { readCredentials, resolveConnection } from '../tools/client/connection.ts';
import { describeFault } from '../tools/client/errors.ts';
import { createClient } from '../tools/client/serviceClient.ts';
import { wait } from '../tools/client/wait.ts';
import { UsageError } from '../tools/commandLine.ts';
import { type Options, readOptions, USAGE } from '../tools/replay/options.ts';
import { progressBar, progressLines } from '../tools/replay/progress.ts';
import { renderReport } from '../tools/replay/renderReport.ts';
import { replay } from '../tools/replay/replay.ts';
import { isComplete } from '../tools/replay/replayReport.ts';

/** The exit code that shells use for SIGINT. */
const INTERRUPTED_EXIT_CODE = 130;

const interruption = new AbortController();

const run = async (options: Options): Promise<number> => {
  const { dataDir, speed, anchor, limit, json } = options;
  const { baseUrl, sendKey, readKey } = resolveConnection(options, readCredentials(dataDir), dataDir);
  const sender = createClient({ baseUrl, apiKey: sendKey });
  await sender.checkHealth();

  const stop = (): void => interruption.abort();
  // Only the first signal is handled. A second Ctrl-C ends the process immediately.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const elapsed = (): number => performance.now();
  const report = await replay(
    { file: options.file, baseUrl, labels: options, speed, anchor, limit },
    {
      sender,
      reader: createClient({ baseUrl, apiKey: readKey }),
      now: Date.now,
      elapsed,
      wait,
      progress: process.stderr.isTTY
        ? progressBar(process.stderr)
        : progressLines((line) => console.error(line), elapsed),
      stop: interruption.signal,
    },
  );
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : renderReport(report));
  if (report.interrupted) return INTERRUPTED_EXIT_CODE;
  return isComplete(report) ? 0 : 1;
};

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else process.exitCode = await run(options);
} catch (error) {
  if (interruption.signal.aborted) {
    console.error('Interrupted before anything was sent.');
    process.exitCode = INTERRUPTED_EXIT_CODE;
  } else {
    console.error(describeFault(error));
    if (error instanceof UsageError) console.error(`\n${USAGE}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
