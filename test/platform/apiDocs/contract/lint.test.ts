import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { openapiText } from '../../../../functions/platform/apiDocs/contract/openapiText.ts';
import { routes } from '../../../../schemas/routes/index.ts';

const LINTER = new URL('../../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;

const Report = z.object({
  problems: z.array(
    z.object({ ruleId: z.string(), location: z.array(z.object({ pointer: z.string() })).min(1) }),
  ),
});

/** Sign-in routes answer with a redirect, so that they have no 2xx. */
const expected = ['/v1/oauth/authorize', '/v1/oauth/callback'].map(
  (path) => `operation-2xx-response #/paths/${path.replaceAll('/', '~1')}/get/responses`,
);

// About 3 s: the linter starts a process.
it.skipIf(!existsSync(LINTER) && process.env['CI'] !== 'true')(
  'the OpenAPI document has no error and only the expected warnings of the Redocly linter',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'openapi.json'), openapiText(routes, 'https://api.acme.org', Date.now()));
    writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [LINTER, 'lint', 'openapi.json', '--format', 'json', '--max-problems', '1000'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    const { problems } = Report.parse(JSON.parse(stdout));

    expect(problems.map(({ ruleId, location: [place] }) => `${ruleId} ${place?.pointer}`)).toEqual(expected);
  },
);
