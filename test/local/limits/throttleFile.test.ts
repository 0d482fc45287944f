import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { watchThrottleFile } from '../../../local/limits/throttleFile.ts';
import { shareLimits, throughputOf } from '../../../local/limits/throughput.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const TABLE = { name: 'TableLedger1234', arn: 'arn', partitionKey: 'pk' };
const ACCESS = { table: TABLE.name, key: 'a', access: 'write' } as const;

let stop: () => void = () => undefined;
afterEach(() => stop());

it('throttles the named table while the file exists, and says what is wrong with the file', async () => {
  const file = join(temporaryDirectory(), 'throttle.json');
  const lines: string[] = [];
  const throughput = throughputOf(shareLimits([TABLE], 1));
  const tableNamed = (name: string) => (name === 'ledger' ? TABLE.name : undefined);
  stop = watchThrottleFile({ file, throughput, tableNamed, log: (line) => lines.push(line) });

  writeFileSync(file, '{"ledger": 1}');
  await expect.poll(() => throughput.refuse(ACCESS)?.reason).toBe('TableWriteAccountLimitExceeded');
  writeFileSync(file, '{"ledgers": 1}');
  await expect.poll(() => lines.join()).toContain('there is no table ledgers');
  rmSync(file);
  await expect.poll(() => lines.at(-1)).toBe('Throttling ended');
  expect(throughput.refuse(ACCESS)).toBeUndefined();
});
