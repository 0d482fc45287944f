import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Reads one line from standard input. On a terminal it asks on standard error, and shows nothing of the answer. */
export const readSecret = async (question: string): Promise<string> => {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: stdin.isTTY === true });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
};
