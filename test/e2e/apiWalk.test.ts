import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { call } from '../support/client.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const REDOCLY = new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url).pathname;
const WALK = new URL('../platform/apiDocs/contract/walk.arazzo.yaml', import.meta.url);

const Step = z.object({
  stepId: z.string(),
});
const Report = z.object({
  status: z.string(),
  files: z.record(
    z.string(),
    z.object({ executedWorkflows: z.array(z.object({ executedSteps: z.array(Step) })) }),
  ),
});

const instance = await sharedInstance();
afterAll(() => instance.stop());

// About 3 s, 1.1 s of CPU time: the runner starts a process and waits a second before it reads again.
it.skipIf(!existsSync(REDOCLY) && process.env['CI'] !== 'true')(
  'the service answers the first steps of a new client as its API document says',
  async () => {
    const { acme } = demoTenants(instance.credentials);
    const folder = mkdtempSync(join(tmpdir(), 'walk-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'openapi.json'), (await call(instance.baseUrl, '/openapi.json')).text);
    copyFileSync(WALK, join(folder, 'walk.arazzo.yaml'));
    const inputs = {
      apiKey: acme.api_keys.admin,
      eventId: randomUUID(),
      now: new Date().toISOString(),
    };

    await promisify(execFile)(
      process.execPath,
      [
        ...[REDOCLY, 'respect', 'walk.arazzo.yaml', '--json-output', 'report.json'],
        ...Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]),
      ],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    const { status, files } = Report.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
    const steps = Object.values(files)
      .flatMap(({ executedWorkflows }) => executedWorkflows)
      .flatMap(({ executedSteps }) => executedSteps);

    expect(status).toBe('success');
    expect(new Set(steps.map(({ stepId }) => stepId)).size).toBe(7);
  },
);
