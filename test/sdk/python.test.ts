import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOpenapi } from '../../functions/platform/apiDocs/contract/openapi.ts';
import { routes } from '../../schemas/routes/index.ts';
import { readApi } from '../../tools/sdk/api.ts';
import { emitPython } from '../../tools/sdk/python/operations.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const PACKAGE = 'sdk/python';
const run = promisify(execFile);
const hasPython = spawnSync('python3', ['--version']).status === 0;
// Under CI the tests must not disappear silently.
const isSkipped = !hasPython && process.env['CI'] !== 'true';

describe('the Python package', () => {
  it('has the types and operations of the routes (renew them with `npm run sdk`)', () => {
    const emitted = emitPython(readApi(buildOpenapi(routes, 'https://api.example.com')));

    for (const [name, text] of Object.entries(emitted)) {
      expect(readFileSync(`${PACKAGE}/src/inference_attribution/${name}.py`, 'utf8')).toBe(text);
    }
  });

  describe.skipIf(isSkipped)('over a running service (skipped without python3)', () => {
    let instance: Instance;
    beforeAll(async () => {
      instance = await sharedInstance();
    });
    afterAll(() => instance.stop());

    it('passes its own tests, with injected faults and against the service', async () => {
      const { acme } = demoTenants(instance.credentials);

      const { stderr } = await run('python3', ['-m', 'unittest', 'discover', '-t', '.', '-s', 'tests'], {
        cwd: PACKAGE,
        env: {
          ...process.env,
          PYTHONPATH: 'src',
          PYTHONDONTWRITEBYTECODE: '1',
          ATTRIBUTION_URL: instance.baseUrl,
          ATTRIBUTION_ADMIN_KEY: acme.api_keys.admin,
          ATTRIBUTION_CLIENT_ID: acme.oauth_client.client_id,
          ATTRIBUTION_CLIENT_SECRET: acme.oauth_client.client_secret,
        },
      });

      expect(stderr).toMatch(/Ran \d\d tests/);
      expect(stderr).toMatch(/^OK/m);
      // Only the tests of httpx, an optional package, may be missing.
      expect(stderr).toMatch(/OK( \(skipped=4\))?$/m);
    });
  });
});
