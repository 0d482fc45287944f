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

describe('the connection', () => {
  it('comes from the running instance, with its first tenant', () => {
    write(stored);

    expect(resolveConnection({}, readCredentials(directory), directory)).toEqual({
      baseUrl: 'http://127.0.0.1:3000',
      sendKey: 'a-ingest',
      readKey: 'a-read',
    });
  });

  it('reads with the read key of the tenant that sends', () => {
    write(stored);

    const connection = resolveConnection({ apiKey: 'b-ingest' }, readCredentials(directory), directory);

    expect(connection).toMatchObject({ sendKey: 'b-ingest', readKey: 'b-read' });
  });

  it('reads with the given key where the instance does not know it', () => {
    write(stored);

    const connection = resolveConnection({ apiKey: 'mine' }, readCredentials(directory), directory);

    expect(connection).toMatchObject({ sendKey: 'mine', readKey: 'mine' });
  });

  it('never sends the keys of an instance to another address', () => {
    write(stored);
    const elsewhere = { baseUrl: 'https://other.example.org' };

    expect(() => resolveConnection(elsewhere, readCredentials(directory), directory)).toThrow(
      'Set --api-key',
    );
  });

  it('says how to get an instance where none runs', () => {
    const connecting = () => resolveConnection({}, readCredentials(directory), directory);

    expect(connecting).toThrow(NoInstanceError);
    expect(connecting).toThrow('npm start');
  });

  it('needs no instance where both are given', () => {
    const given = { baseUrl: 'https://other.example.org', apiKey: 'mine' };

    expect(resolveConnection(given, readCredentials(directory), directory).baseUrl).toBe(given.baseUrl);
  });

  it('names a file that cannot be read', () => {
    write({ base_url: 'http://127.0.0.1:3000', tenants: [] });

    expect(() => readCredentials(directory)).toThrow('credentials.json');
  });
});
