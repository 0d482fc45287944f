import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pascalCase } from '../../lib/pascalCase.ts';
import { embeddedLocations } from '../../local/engines/engines.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import type { FunctionDeclaration } from '../../local/template/functions.ts';
import { readStack } from '../../local/template/stack.ts';
import { isDerived, tableNames } from '../../schemas/platform/tables.ts';
import { cachedDeploymentBundles } from '../../tools/build/deploymentBundles.ts';
import { localAssembly } from '../../tools/build/localAssembly.ts';
import { type Credentials, prepareDemo } from '../../tools/start/demo.ts';
import type { UsageByFunction } from './usage.ts';

type Tenant = Credentials['tenants'][number];

/** The service on embedded engines. Its AWS calls and CPU time are counted. */
export interface MeasuredService {
  readonly runtime: Runtime;
  /** A function of the stack by the prefix of its logical id, with the environment from its template. */
  readonly functionOf: (prefix: string) => FunctionDeclaration;
  /** The same, with the endpoints and credentials of the engines added. For environments that the runtime does not start. */
  readonly standaloneOf: (prefix: string) => FunctionDeclaration;
  /** Both tenants have the enterprise plan. Events sent directly to the ingestion queue belong to `sender`. */
  readonly sender: Tenant;
  readonly reader: Tenant;
  readonly usage: () => UsageByFunction;
  /** Bytes the functions have logged so far. */
  readonly logBytes: () => number;
  /** Capacity units so far in tables of the class for infrequent access. */
  readonly infrequentUnits: () => { readonly writeUnits: number; readonly readUnits: number };
  /** Folder of the function bundles. */
  readonly assets: string;
  /** Temporary folder, deleted when the service stops. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

/** Starts the service in a new folder with two tenants and no records. `environment` is added to every function. */
export const startMeasuredService = async (
  environment: Record<string, string> = {},
): Promise<MeasuredService> => {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
  // Cold starts and CPU time are those of the bundles that are deployed.
  const assets = await cachedDeploymentBundles();
  const { template } = await localAssembly({ environment: 'local' });
  const assembly = { template, assemblyDir: assets };
  const runtime = await startRuntime({
    ...assembly,
    dataDir: folder,
    port: 0,
    environment: { LOCAL_METER: 'keys', ROLLUPS_DELAY_SECONDS: '30', ...environment },
    log: (line) => console.error(line),
  });
  const [sender, reader] = (await prepareDemo(runtime, folder)).tenants;
  if (sender === undefined || reader === undefined) throw new Error('the demo must create two tenants');
  const locations = embeddedLocations(runtime.baseUrl, runtime.endpoints.sqs, runtime.outputs['OidcIssuer']);
  const { functions } = readStack(assembly.template, assembly.assemblyDir, locations);
  const logs = join(folder, 'logs');
  const functionOf = (prefix: string): FunctionDeclaration => {
    const declaration = functions.find(({ logicalId }) => logicalId.startsWith(prefix));
    if (declaration === undefined) throw new Error(`the stack has no function with the prefix ${prefix}`);
    return declaration;
  };
  const engineVariables = {
    ...Object.fromEntries(
      Object.entries(runtime.endpoints).map(([name, url]) => [`AWS_ENDPOINT_URL_${name.toUpperCase()}`, url]),
    ),
    // The engines admit only requests with the access key of this start.
    AWS_ACCESS_KEY_ID: runtime.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: runtime.credentials.secretAccessKey,
  };
  const infrequentTables = new Set(
    tableNames.filter(isDerived).map((name) => runtime.outputs[`Table${pascalCase(name)}`]),
  );
  return {
    runtime,
    functionOf,
    standaloneOf: (prefix) => {
      const declaration = functionOf(prefix);
      return { ...declaration, variables: { ...declaration.variables, ...engineVariables } };
    },
    sender,
    reader,
    usage: () => runtime.usage?.() ?? {},
    logBytes: () =>
      readdirSync(logs)
        .filter((name) => /Function[0-9A-F]{8}\.log$/.test(name))
        .reduce((sum, name) => sum + statSync(join(logs, name)).size, 0),
    infrequentUnits: () => {
      const sums = { write: 0, read: 0 };
      for (const [key, units] of Object.entries(runtime.keyUnits?.() ?? {})) {
        const [access, table] = key.split(' ', 2);
        if (infrequentTables.has(table)) sums[access === 'write' ? 'write' : 'read'] += units;
      }
      return { writeUnits: sums.write, readUnits: sums.read };
    },
    assets,
    folder,
    stop: async () => {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
