import { createWriteStream, existsSync, statSync, truncateSync } from 'node:fs';

const KEEP_BYTES = 10 * 1024 * 1024;

export interface FunctionLog {
  print(chunk: Buffer | string): void;
  close(): Promise<void>;
}

/** Appends what a function prints to its file, begun anew at start where it has outgrown 10 MB. */
export function openFunctionLog(file: string): FunctionLog {
  if (existsSync(file) && statSync(file).size > KEEP_BYTES) truncateSync(file);
  const stream = createWriteStream(file, { flags: 'a' });
  return {
    print: (chunk) => {
      if (!stream.closed) stream.write(chunk);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}
