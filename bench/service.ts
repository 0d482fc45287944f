import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../bin/build.ts';
import { type Credentials, prepareDemo } from '../bin/local/demo.ts';
import { synthesise } from '../lib/synthesise.ts';
import { type Runtime, startRuntime } from '../local/runtime.ts';

/** The service on embedded engines, with its AWS calls and CPU time counted. */
export interface MeasuredService {
  readonly runtime: Runtime;
  readonly credentials: Credentials;
  /** The bundles that run. */
  readonly assets: string;
  /** A folder that goes with the service. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
}

export const startMeasured = async (): Promise<MeasuredService> => {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-bench-'));
  const assets = join(folder, 'dist');
  await build(assets);
  process.env['CDK_VALIDATION'] = 'false';
  const assembly = synthesise({ environment: 'local' }, join(folder, 'cdk.out'), assets);
  const runtime = await startRuntime({
    ...assembly,
    dataDir: folder,
    port: 0,
    environment: { LOCAL_METER: '1' },
    log: () => undefined,
  });
  const credentials = await prepareDemo(runtime, folder);
  return {
    runtime,
    credentials,
    assets,
    folder,
    stop: async () => {
      await runtime.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
