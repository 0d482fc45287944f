import { appendFile } from 'node:fs';
import { Writable } from 'node:stream';

/**
 * A stream that appends to a log file. What the disk does not take is lost: a full disk must not end the process that logs.
 * The file is opened for each write, so logging goes on when there is space again.
 */
export const openLogFile = (file: string): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => appendFile(file, chunk, () => done()),
    writev: (chunks, done) =>
      appendFile(file, Buffer.concat(chunks.map(({ chunk }): Buffer => chunk)), () => done()),
  });
