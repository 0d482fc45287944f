import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { bundleForDeployment } from '../../tools/build/bundle.ts';
import { cachedDeploymentBundles } from '../../tools/build/deploymentBundles.ts';
import { functionEntries } from '../../tools/build/functionEntries.ts';
import { nativePackagesOf } from '../../tools/build/nativePackages.ts';
import { expectNoFaults } from '../support/faults.ts';

const names = functionEntries.map(({ name }) => name);
const sourceOf = new Map(functionEntries.map(({ name, source }) => [name, source]));

const dist = await cachedDeploymentBundles();

const Metafile = z.object({
  outputs: z.record(
    z.string(),
    z.object({
      bytes: z.number(),
      entryPoint: z.string().optional(),
      inputs: z.record(z.string(), z.unknown()),
      imports: z.array(z.object({ path: z.string(), kind: z.string(), external: z.boolean().optional() })),
    }),
  ),
});
type Output = z.infer<typeof Metafile>['outputs'][string];

/** The files of a bundle: `start` is loaded at a cold start, `later` on the first dynamic import. */
const filesOf = (name: string): { start: Output[]; later: Output[] } => {
  const { outputs } = Metafile.parse(JSON.parse(readFileSync(join(dist, `${name}.meta.json`), 'utf8')));
  const scripts = Object.entries(outputs).filter(([path]) => path.endsWith('.mjs'));
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const found of outputs[path]?.imports ?? []) {
      if (found.kind === 'import-statement' && !found.external) load(found.path);
    }
  };
  for (const [path, output] of scripts) if (output.entryPoint === sourceOf.get(name)) load(path);
  return {
    start: scripts.filter(([path]) => loaded.has(path)).map(([, output]) => output),
    later: scripts.filter(([path]) => !loaded.has(path)).map(([, output]) => output),
  };
};

const packagesIn = (files: readonly Output[]): Set<string> =>
  new Set(
    files
      .flatMap(({ inputs }) => Object.keys(inputs))
      .map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
      .filter((found) => found !== undefined),
  );

/**
 * Limit for the size of the files that a cold start loads, in KB. Leave 2 KB above the size when you set one: with less, one more
 * sentence of a description reaches it.
 * Raise a limit only on purpose: 100 KB add about 15 ms to each cold start (import time measured against size).
 */
const START_SIZE_LIMITS_KB: Record<string, number> = {
  contract: 814,
  // Half of it are the compressed files of the interactive reference. It also has the released document.
  reference: 1_530,
  oauth: 508,
  // It and all units with changes also compare documents for the audit log.
  credentials: 540,
  signIn: 429,
  // Reads labels in any script, so it composes them. Also repairs optional members, and writes dedup claims, about 5 KB.
  ingest: 471,
  ingestBatches: 466,
  // Also reads the call logs of six gateways and providers, recognises calls of any producer by their attributes, and reads tables
  // of calls by their columns, about 6 KB.
  otlp: 576,
  partner: 540,
  // This unit and the next two share modules of the AWS SDK with the object store, which the first read of a cold day loads.
  attribution: 554,
  corrections: 614,
  // It, `signals` and the workers of rollups and events also derive the two answers of a record, about 4 KB.
  // `mappings` also reads sums, to say which services have no owner.
  mappings: 600,
  // Also changes cost allocation tags.
  settings: 585,
  // Also dismisses suggestions, and takes numbers of business metrics.
  budgets: 576,
  lookup: 473,
  // Also reads and changes bill sources, names the parts of differences, and answers diagnostics. Shares modules of the AWS SDK
  // with the object store, which a comparison loads if an operator has loaded prices. Closes periods.
  reconciliation: 691,
  signals: 598,
  // Also stores results for their pages, and reads time zones. Shares modules of the AWS SDK with the object store, which a report
  // at prices loads if an operator has loaded some.
  reports: 615,
  // Also reads and changes destinations, and says how deliveries went.
  exports: 544,
  webhooks: 586,
  console: 375,
  // Also repairs the optional members of events that come by the queue, and reads loaded prices and what aliases named.
  'attribution.worker': 830,
  'jobs.worker': 655,
  // Imports the bills of providers, and raises events about them. Shares modules of the AWS SDK with the client of STS.
  'billImports.worker': 535,
  'exportControl.worker': 555,
  // Also signs requests to buckets of customers, and raises events about them.
  'exportDelivery.worker': 520,
  // This worker and the next have DuckDB.
  'exportGather.worker': 731,
  // Also decides which errors are outages, by rules of the AWS SDK that its first write would load.
  'exportWrite.worker': 411,
  'rollups.worker': 582,
  'publish.worker': 486,
  'deliver.worker': 508,
  'notify.worker': 500,
  'sandbox.worker': 540,
};

const expectOfEveryBundle = (rule: (name: string) => readonly string[]) =>
  expectNoFaults(names, String, rule);

it('keeps the files that every function loads at start below their size limit', async () => {
  await expectOfEveryBundle((name) => {
    const kilobytes = filesOf(name).start.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000;
    const limit = START_SIZE_LIMITS_KB[name] ?? 0;
    return kilobytes > 0 && kilobytes < limit ? [] : [`${kilobytes} KB, limit ${limit}`];
  });
});

it.each([
  { forbidden: 'zod-openapi', allowed: ['contract', 'reference'] },
  { forbidden: '@pydantic/genai-prices', allowed: ['attribution.worker', 'jobs.worker', 'reports'] },
  { forbidden: '@tgwf/co2', allowed: ['attribution.worker', 'jobs.worker'] },
  {
    forbidden: '@aws-sdk/client-s3',
    allowed: [
      // Loaded by the first readiness check.
      'contract',
      // Loaded by the first read of a cold day.
      'attribution',
      'corrections',
      'mappings',
      'rollups.worker',
      'attribution.worker',
      'jobs.worker',
      'exports',
      'exportControl.worker',
      'exportDelivery.worker',
      'exportGather.worker',
      'exportWrite.worker',
      // Loaded by a comparison with bills, or a report at prices, if an operator has loaded prices.
      'reconciliation',
      'reports',
      // Loaded by the first reset.
      'sandbox.worker',
    ],
  },
  { forbidden: '@aws-sdk/client-cognito-identity-provider', allowed: ['credentials'] },
  { forbidden: '@aws-sdk/client-sts', allowed: ['billImports.worker', 'exportDelivery.worker'] },
  { forbidden: 'nodemailer', allowed: ['notify.worker'] },
  { forbidden: '@aws-sdk/client-sfn', allowed: ['contract', 'exports', 'jobs.worker'] },
  // The DynamoDB layer of the idempotency library needs it. Ours uses the client that each function has.
  { forbidden: '@aws-sdk/util-dynamodb', allowed: [] },
])('keeps $forbidden out of every bundle except $allowed', ({ forbidden, allowed }) => {
  const bundlesWithPackage = names.filter((name) => {
    const { start, later } = filesOf(name);
    return packagesIn([...start, ...later]).has(forbidden);
  });

  expect(allowed).toEqual(expect.arrayContaining(bundlesWithPackage));
});

it.each([
  ['the price catalogue', 'until the first event is priced', '@pydantic/genai-prices'],
  ['the object store', 'until a model or a file is read', '@aws-sdk/client-s3'],
  ['state machines', 'until an export begins', '@aws-sdk/client-sfn'],
  ['the user pool', 'until a user is invited', '@aws-sdk/client-cognito-identity-provider'],
  ['the token service', 'until a bill source of AWS is due', '@aws-sdk/client-sts'],
  ['the mail service', 'until mail is sent', '@aws-sdk/client-sesv2'],
  ['the mail composer', 'until mail is sent', 'nodemailer'],
  ['the key service', 'until a token or a cursor needs it', '@aws-sdk/client-kms'],
  ['the idempotency library', 'until a mutation needs it', '@aws-lambda-powertools/idempotency'],
  [
    'the query language of the idempotency library',
    'until a mutation needs it',
    '@aws-lambda-powertools/jmespath',
  ],
])('does not load %s %s', (_, _until, dependency) => {
  expect(names.filter((name) => packagesIn(filesOf(name).start).has(dependency))).toEqual([]);
});

/** What a bundle imports from outside its folder, besides what it may lack. */
const externalsOf = (name: string): string[] => {
  const { start, later } = filesOf(name);
  return [...start, ...later]
    .flatMap(({ imports }) => imports)
    .filter(({ external, kind }) => external && kind !== 'dynamic-import')
    .map(({ path }) => path)
    .filter((path) => !isBuiltin(path));
};
/** Native code of DuckDB for each kind of machine. */
const NATIVE = /^@duckdb\/node-bindings-[a-z0-9-]+\/duckdb\.node$/;

it('imports only Node modules from outside the asset folder of every function, and native code where it needs it', async () => {
  await expectOfEveryBundle((name) => externalsOf(name).filter((path) => !NATIVE.test(path)));

  expect(names.filter((name) => externalsOf(name).some((path) => NATIVE.test(path)))).toEqual([
    'exportGather.worker',
    'exportWrite.worker',
  ]);
});

it('adds the native code of Lambda to the functions that load it, and of no other machine', () => {
  const packagesOf = (name: string) =>
    nativePackagesOf(readFileSync(join(dist, `${name}.meta.json`), 'utf8'));

  expect(
    Object.fromEntries(names.map((name) => [name, packagesOf(name)]).filter(([, found]) => found?.length)),
  ).toEqual({
    'exportGather.worker': ['@duckdb/node-bindings-linux-arm64'],
    'exportWrite.worker': ['@duckdb/node-bindings-linux-arm64'],
  });
});

it('ships every function without source maps or metafiles', async () => {
  await expectOfEveryBundle((name) => {
    const files = globSync('**/*.*', { cwd: join(dist, name) });
    // The console has the files that it serves beside its code.
    const own = name === 'console' ? /^files\// : /^$/;
    const isCode = (file: string) => file.endsWith('.mjs') || own.test(file);
    return [
      ...(files.includes('index.mjs') ? [] : ['has no index.mjs']),
      ...files.filter((file) => !isCode(file) || file.endsWith('.map')),
    ];
  });
});

/** Each function is bundled by a call of its own, so a few show what holds for all. These have the most kinds of files. */
const REBUILT: ReadonlySet<string> = new Set(['contract', 'reference', 'attribution', 'jobs.worker']);

it('builds identical bytes from identical sources', async () => {
  // Chunk names depend on the path from the output folder to the sources, so both builds need the same depth.
  const again = `${dist}.again`;
  onTestFinished(() => rmSync(again, { recursive: true, force: true }));
  const fingerprint = (root: string) =>
    [...REBUILT]
      .flatMap((name) => globSync(`${name}/*.mjs`, { cwd: root }).sort())
      .map((path) => [
        path,
        createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex'),
      ]);

  await bundleForDeployment(
    again,
    functionEntries.filter(({ name }) => REBUILT.has(name)),
  );

  expect(fingerprint(again).length).toBeGreaterThan(REBUILT.size);
  expect(fingerprint(again)).toEqual(fingerprint(dist));
});
