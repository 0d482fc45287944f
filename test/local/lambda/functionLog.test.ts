import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFunctionLog } from '../../../local/lambda/functionLog.ts';
import { openLogFile } from '../../../local/logFile.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'function-log-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

it('writes all lines in order before it is closed, and none after', async () => {
  const file = join(directory, 'lines.log');
  const log = openFunctionLog(file);
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
  for (const line of lines) log.print(line);
  await log.close();
  log.print('late');

  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
});

it('goes on when the disk is full, and when the file cannot be opened', async () => {
  for (const file of ['/dev/full', directory]) {
    const log = openLogFile(file);
    const errors: unknown[] = [];
    log.on('error', (error) => errors.push(error));
    for (let line = 0; line < 10; line += 1) log.write(`line ${line}\n`);
    await new Promise((resolve) => log.end(resolve));

    expect(errors).toEqual([]);
  }
});
