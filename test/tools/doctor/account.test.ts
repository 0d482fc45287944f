import { expect, it } from 'vitest';
import { Settings, type SettingsInput } from '../../../lib/settings.ts';
import { type AccountReader, examineAccount } from '../../../tools/doctor/account.ts';
import { report } from '../../../tools/doctor/finding.ts';

const ready: AccountReader = {
  region: async () => 'eu-central-1',
  bootstrapVersion: async () => 29,
  lambdaConcurrency: async () => 1_000,
  sendsMailToAnyone: async () => true,
  tableWriteUnits: async () => 40_000,
  stackStatus: async () => undefined,
};

const examine = async (
  account: Partial<AccountReader>,
  settings: SettingsInput = {},
): Promise<{ code: number; lines: string[] }> => {
  const lines: string[] = [];
  const findings = await examineAccount({ ...ready, ...account }, Settings.parse(settings));
  return { code: report(findings, (line) => lines.push(line)), lines };
};

it('passes for an account that is prepared', async () => {
  const { code, lines } = await examine({});

  expect(code).toBe(0);
  expect(lines.filter((line) => line.startsWith('failed'))).toEqual([]);
});

it.each<[string, Partial<AccountReader>, string]>([
  ['a region without bootstrap', { bootstrapVersion: async () => null }, 'Run: npx cdk bootstrap'],
  ['an old bootstrap', { bootstrapVersion: async () => 4 }, '(version 4)'],
  ['a new account', { lambdaConcurrency: async () => 10 }, '--quota-code L-B99A9384 --desired-value 1000'],
  [
    'a stack that is stuck',
    { stackStatus: async () => 'DELETE_FAILED' },
    'docs/runbooks/deployment-failed.md',
  ],
  ['no region', { region: () => Promise.reject(new Error('Region is missing')) }, 'export AWS_REGION='],
  [
    'no credentials',
    { lambdaConcurrency: () => Promise.reject(new Error('Could not load credentials')) },
    'The concurrency of Lambda cannot be checked: Could not load credentials',
  ],
])('fails for %s and says what to do', async (_, account, advice) => {
  const { code, lines } = await examine(account);

  expect(code).toBe(1);
  expect(lines.find((line) => line.startsWith('failed'))).toContain(advice);
});

it.each<[string, Partial<AccountReader>, string]>([
  ['SES is in its sandbox', { sendsMailToAnyone: async () => false }, 'Request production access'],
  ['the table quota is small', { tableWriteUnits: async () => 10_000 }, 'Request 40000'],
])('passes with a notice when %s', async (_, account, advice) => {
  const { code, lines } = await examine(account);

  expect(code).toBe(0);
  expect(lines.find((line) => line.startsWith('notice') && line.includes(advice))).toBeDefined();
});

it('asks for no bootstrap when the operator has a bucket for the code', async () => {
  const { code } = await examine({ bootstrapVersion: async () => null }, { assetsBucket: 'my-files' });

  expect(code).toBe(0);
});

it.each<[string, SettingsInput, string]>([
  // 5 × 120 + 250 + 200 + 100
  [
    'need more concurrency',
    { workerConcurrency: 120, reservedConcurrency: 'ingest=200' },
    'the settings need 1150',
  ],
  ['allow a table more than the account has', { maximumWrites: 50_000 }, 'Lower maximumWrites or warmWrites'],
  ['warm a table for more than the account has', { warmWrites: 60_000 }, 'the settings ask for 60000'],
])('fails when the settings %s', async (_, settings, advice) => {
  const { code, lines } = await examine({}, settings);

  expect(code).toBe(1);
  expect(lines.find((line) => line.startsWith('failed'))).toContain(advice);
});
