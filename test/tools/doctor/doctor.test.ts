import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { portOf } from '../../../local/engines/freePort.ts';
import { runDoctor } from '../../../tools/doctor/doctor.ts';
import { platformProblem } from '../../../tools/doctor/platform.ts';

describe('platformProblem', () => {
  it.each([
    ['darwin', 'arm64', 'macOS arm64: open this folder in its devcontainer'],
    ['linux', 'arm64', 'Linux arm64: open this folder in its devcontainer'],
    ['win32', 'x64', 'Windows x64: run npm ci and npm start inside WSL 2'],
  ])('says in one sentence what to do on %s %s', (platform, arch, advice) => {
    const problem = platformProblem({}, platform, arch) ?? '';

    expect(problem).toContain(advice);
    expect(problem).toContain('AWS_ENDPOINT_URL_DYNAMODB');
    expect(problem.match(/\.(?: |$)/g)).toHaveLength(1);
  });

  it('accepts any platform with another DynamoDB endpoint', () => {
    expect(platformProblem({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' }, 'darwin', 'arm64')).toBe(
      null,
    );
  });

  it('accepts Linux on x64', () => {
    expect(platformProblem({}, 'linux', 'x64')).toBe(null);
  });
});

describe('runDoctor', () => {
  it('reports a port that is in use, and fails', async () => {
    const server = createServer();
    onTestFinished(() => {
      server.close();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const lines: string[] = [];

    const exitCode = await runDoctor({ PORT: String(portOf(server)) }, (line) => lines.push(line));

    expect(exitCode).toBe(1);
    expect(lines.filter((line) => line.startsWith('failed'))).toEqual([
      expect.stringContaining(`Port ${portOf(server)} is in use.`),
    ]);
  });

  it('passes on a machine that can run the service', async () => {
    const lines: string[] = [];

    expect(await runDoctor({ PORT: '0' }, (line) => lines.push(line))).toBe(0);
    expect(lines.every((line) => line.startsWith('ok'))).toBe(true);
  });
});
