import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoInstanceError, readCredentials, resolveConnection } from '../../../tools/client/connection.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'credentials-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const keysOf = (name: string) => ({ admin: `${name}-admin`, ingest: `${name}-ingest`, read: `${name}-read` });
const stored = {
  base_url: 'http://127.0.0.1:3000',
  environment: 'local',
  tenants: [
    { tenant_id: 'a', name: 'A', api_keys: keysOf('a') },
    { tenant_id: 'b', name: 'B', api_keys: keysOf('b') },
  ],
};
const write = (content: unknown): void =>
  writeFileSync(join(directory, 'credentials.json'), JSON.stringify(content));

describe('resolveConnection', () => {
  it('returns the running instance and the keys of its first tenant', () => {
    write(stored);

    expect(resolveConnection({}, readCredentials(directory), directory)).toEqual({
      baseUrl: 'http://127.0.0.1:3000',
      sendKey: 'a-ingest',
      readKey: 'a-read',
    });
  });

  it('uses the read key of the tenant that owns the send key', () => {
    write(stored);

    const connection = resolveConnection({ apiKey: 'b-ingest' }, readCredentials(directory), directory);

    expect(connection).toMatchObject({ sendKey: 'b-ingest', readKey: 'b-read' });
  });

  it('uses the given key to read when the instance does not know it', () => {
    write(stored);

    const connection = resolveConnection({ apiKey: 'mine' }, readCredentials(directory), directory);

    expect(connection).toMatchObject({ sendKey: 'mine', readKey: 'mine' });
  });

  it('throws instead of sending the keys of an instance to another address', () => {
    write(stored);
    const otherService = { baseUrl: 'https://other.example.org' };

    expect(() => resolveConnection(otherService, readCredentials(directory), directory)).toThrow(
      'Set --api-key',
    );
  });

  it('throws with the start command when no instance runs', () => {
    const connect = () => resolveConnection({}, readCredentials(directory), directory);

    expect(connect).toThrow(NoInstanceError);
    expect(connect).toThrow('npm start');
  });

  it('needs no instance when address and key are given', () => {
    const given = { baseUrl: 'https://other.example.org', apiKey: 'mine' };

    expect(resolveConnection(given, readCredentials(directory), directory).baseUrl).toBe(given.baseUrl);
  });

  it('throws with the name of an invalid credentials file', () => {
    write({ base_url: 'http://127.0.0.1:3000', tenants: [] });

    expect(() => readCredentials(directory)).toThrow('credentials.json');
  });
});
