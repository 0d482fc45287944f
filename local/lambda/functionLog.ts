import { existsSync, statSync, truncateSync } from 'node:fs';
import { openLogFile } from '../logFile.ts';

const FILE_LIMIT_BYTES = 10 * 1024 * 1024;

export interface FunctionLog {
  print(chunk: Buffer | string): void;
  close(): Promise<void>;
}

/** Appends the output of a function to its log file. Clears the file first if it is larger than 10 MiB. */
export function openFunctionLog(file: string): FunctionLog {
  if (existsSync(file) && statSync(file).size > FILE_LIMIT_BYTES) truncateSync(file);
  const stream = openLogFile(file);
  return {
    print: (chunk) => {
      if (!stream.writableEnded) stream.write(chunk);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}
