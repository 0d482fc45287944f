import { join } from 'node:path';
import { CfnResource, type Stack } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { addStacks, createApp } from '../../lib/app.ts';
import { type StackKind, stackKinds } from '../../lib/names.ts';
import { Settings, type SettingsInput, settingNames } from '../../lib/settings.ts';
import { templatesOf, withBundles } from './stack.ts';

/** CloudFormation accepts 500 resources in a stack. The rest is for new units, workers, queues and tables. */
const RESOURCES_MAXIMUM = 250;
/** Half of what CloudFormation accepts as a template in a bucket. Source: "CloudFormation quotas". */
const TEMPLATE_BYTES_MAXIMUM = 500_000;

/** Settings that add resources, each with the value that adds the most, and the value that adds the fewest. */
const options: readonly (readonly [most: SettingsInput, fewest: SettingsInput])[] = [
  [
    {
      domainName: 'api.example.org',
      certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0d1e',
    },
    {},
  ],
  [{ alarmEmail: 'team@example.org' }, {}],
  [{ pageEmail: 'oncall@example.org' }, {}],
  [{ monthlyBudget: 100, alarmEmail: 'team@example.org' }, {}],
  [{ gradualDeployment: true }, { gradualDeployment: false }],
  [{ notificationSender: 'alerts@example.org', senderIdentity: 'example.org' }, {}],
  [{ producerPrincipals: ['123456789012'], singleTenant: 'acme' }, {}],
  [{ signingKeys: ['1970-01-01T00:00:00Z', '2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z'] }, {}],
  [{ backupCopyVault: 'arn:aws:backup:eu-west-1:123456789012:backup-vault:copies' }, {}],
  // The other value declares no user pool.
  [{}, { oidcIssuer: 'https://login.example.org', oidcClientId: 'service' }],
];

/** Settings that add no resource, with values other than the default. */
const withoutResources: SettingsInput = {
  protection: false,
  publicContract: true,
  trustedProxies: 1,
  baseUrl: 'https://www.example.org',
  throttleRate: 20_000,
  throttleBurst: 10_000,
  warmWrites: 10_000,
  maximumWrites: 20_000,
  workerConcurrency: 50,
  deliveryConcurrency: 500,
  eventBatch: 100,
  reservedConcurrency: ['ingest=200'],
  functionMemory: ['attribution.worker=2048'],
  exportConcurrency: 4,
  permissionsBoundary: 'inference-attribution-boundary',
  assetsBucket: 'my-files',
  corsOrigins: ['https://app.example.org'],
  consoleUrl: 'https://console.example.org',
  tracing: true,
};
/** CloudFront is a stack of its own. */
const OF_OTHER_STACKS = ['edgeDomainName', 'edgeCertificateArn', 'edgeRateLimit'];
const environments = ['production', 'sandbox', 'local'] as const;

/** All subsets of `size` elements of the numbers below `count`. */
const subsets = (count: number, size: number): number[][] => {
  if (size === 0) return [[]];
  if (size > count) return [];
  const last = count - 1;
  return [...subsets(last, size), ...subsets(last, size - 1).map((subset) => [...subset, last])];
};

/**
 * Rows of values of `count` options, in which each two options take all four pairs of values (Kleitman and Spencer, 1973).
 * In the last row all take the second value. In the others each option takes the first value in its own subset of rows:
 * all have the same size and each two overlap, and so each contains a row that the other does not.
 */
const pairwiseRows = (count: number): boolean[][] => {
  for (let rows = 1; ; rows += 1) {
    const columns = subsets(rows, Math.floor(rows / 2) + 1);
    if (columns.length >= count)
      return Array.from({ length: rows + 1 }, (_, row) =>
        columns.slice(0, count).map((column) => column.includes(row)),
      );
  }
};

type Counts = Readonly<Record<StackKind, number>>;

const countsOf = (countIn: (kind: StackKind) => number): Counts => ({
  data: countIn('data'),
  api: countIn('api'),
  workers: countIn('workers'),
  observability: countIn('observability'),
});

const resourcesIn = (stack: Stack): number =>
  stack.node.findAll().filter((construct) => CfnResource.isCfnResource(construct)).length;

/** The resources that each stack declares. It takes a third of the time of the templates. */
const declaredWith = (settings: SettingsInput): Counts =>
  withBundles((folder) => {
    const app = createApp({ outdir: join(folder, 'out') });
    const stacks = addStacks(app, Settings.parse(settings), join(folder, 'assets'));
    return countsOf((kind) => resourcesIn(stacks[kind]));
  });

it('combines each two options in all ways', () => {
  const rows = pairwiseRows(options.length);
  for (const first of options.keys())
    for (const second of options.keys())
      if (first !== second) {
        expect(new Set(rows.map((row) => `${row[first]} ${row[second]}`)).size).toBe(4);
      }
});

it('knows of each setting whether it adds resources', () => {
  const known = [...options.flat(), withoutResources].flatMap((settings) => Object.keys(settings));

  expect([...new Set([...known, ...OF_OTHER_STACKS, 'environment'])].sort()).toEqual(settingNames.toSorted());
});

// About 2 s each.
it.each(environments)('leaves room in each stack of %s with any two options, and with all', (environment) => {
  const settingsWith = (hasMost: (option: number) => boolean): SettingsInput => {
    const settings: SettingsInput = { environment };
    for (const [option, [most, fewest]] of options.entries())
      Object.assign(settings, hasMost(option) ? most : fewest);
    return settings;
  };
  const largest = templatesOf(settingsWith(() => true));
  const combined = pairwiseRows(options.length).map((row) =>
    declaredWith(settingsWith((option) => row[option] === true)),
  );

  for (const kind of stackKinds) {
    const resources = Object.keys(largest[kind].Resources).length;
    expect(resources, kind).toBeLessThanOrEqual(RESOURCES_MAXIMUM);
    expect(Math.max(...combined.map((counts) => counts[kind])), kind).toBeLessThanOrEqual(resources);
    // As the CDK writes it.
    const bytes = Buffer.byteLength(JSON.stringify(largest[kind], undefined, 1));
    expect(bytes, kind).toBeLessThanOrEqual(TEMPLATE_BYTES_MAXIMUM);
  }
});

it.each(environments)('counts the resources that the templates of %s have', (environment) => {
  const templates = templatesOf({ environment });

  expect(declaredWith({ environment })).toEqual(
    countsOf((kind) => Object.keys(templates[kind].Resources).length),
  );
});

it('adds no resource for settings that are only values', () => {
  expect(declaredWith(withoutResources)).toEqual(declaredWith({}));
});
