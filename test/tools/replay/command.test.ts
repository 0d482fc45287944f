import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ContractServer, startContractServer } from './contractServer.ts';

const COMMAND = resolve('bin/replay.ts');

let server: ContractServer;
let directory: string;
beforeEach(async () => {
  server = await startContractServer();
  directory = mkdtempSync(join(tmpdir(), 'command-'));
  writeFileSync(
    join(directory, 'trace.csv'),
    'timestamp,input_tokens,output_tokens\n2023-11-16 18:15:46.6805900,374,44\n2023-11-16 18:15:50.9951690,396,109\n',
  );
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const command = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [COMMAND, ...args], { cwd: directory }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : z.number().parse(error.code), stdout, stderr });
    });
  });

const writeCredentials = (baseUrl: string): void => {
  const api_keys = { admin: 'a-key', ingest: 'a-key', read: 'a-key' };
  const content = { base_url: baseUrl, tenants: [{ tenant_id: 'a', api_keys }] };
  writeFileSync(join(directory, 'credentials.json'), JSON.stringify(content));
};

describe('npm run replay', () => {
  it('replays into the running instance and prints one JSON object', async () => {
    writeCredentials(server.url);

    const { code, stdout } = await command('trace.csv', '--data-dir', '.', '--json');

    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, accepted: 2, visible: 2, cost_usd: '0.00009506189' });
    expect(code).toBe(0);
  });

  it('prints a plain-text report', async () => {
    const { code, stdout } = await command('trace.csv', '--base-url', server.url, '--api-key', 'a-key');

    expect(stdout).toContain('accepted  2');
    expect(code).toBe(0);
  });

  it.each([
    ['without a running instance', ['trace.csv'], 1, 'npm start'],
    ['without a file', [], 2, 'npm run replay -- FILE'],
    ['with a missing file', ['no.csv', '--data-dir', '.'], 1, 'no.csv'],
  ])('prints an error %s', async (_, args, exit, text) => {
    if (exit === 1 && args.length > 1) writeCredentials(server.url);

    const { code, stderr, stdout } = await command(...args);

    expect(stderr).toContain(text);
    expect(stdout).toBe('');
    expect(code).toBe(exit);
  });

  it('prints an error when the instance does not answer', async () => {
    writeCredentials(server.url);
    await server.close();

    const { code, stderr } = await command('trace.csv', '--data-dir', '.');

    expect(stderr).toContain('does not answer');
    expect(code).toBe(1);
  });
});
