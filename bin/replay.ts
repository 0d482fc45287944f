import { connectionOf, readCredentials } from '../tools/client/credentials.ts';
import { faultText } from '../tools/client/errors.ts';
import { createClient } from '../tools/client/serviceClient.ts';
import { wait } from '../tools/client/wait.ts';
import { isComplete } from '../tools/replay/account.ts';
import { type Options, readOptions, USAGE, UsageError } from '../tools/replay/options.ts';
import { progressBar, progressLines } from '../tools/replay/progress.ts';
import { renderAccount } from '../tools/replay/renderAccount.ts';
import { replay } from '../tools/replay/replay.ts';

/** What a shell reports for a command that SIGINT ended. */
const INTERRUPTED = 130;

const interruption = new AbortController();

const run = async (options: Options): Promise<number> => {
  const { dataDir, speed, anchor, limit, json } = options;
  const { baseUrl, sendKey, readKey } = connectionOf(options, readCredentials(dataDir), dataDir);
  const sender = createClient({ baseUrl, apiKey: sendKey });
  await sender.greet();

  const stop = (): void => interruption.abort();
  // Once each: a second Ctrl-C ends the process at once.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);

  const elapsed = (): number => performance.now();
  const account = await replay(
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
  process.stdout.write(json ? `${JSON.stringify(account)}\n` : renderAccount(account));
  if (account.interrupted) return INTERRUPTED;
  return isComplete(account) ? 0 : 1;
};

try {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') process.stdout.write(USAGE);
  else process.exitCode = await run(options);
} catch (error) {
  if (interruption.signal.aborted) {
    console.error('Interrupted before anything was sent.');
    process.exitCode = INTERRUPTED;
  } else {
    console.error(faultText(error));
    if (error instanceof UsageError) console.error(`\n${USAGE}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
