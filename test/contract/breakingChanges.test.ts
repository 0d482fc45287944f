import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildOpenapi } from '../../functions/contract/openapi.ts';
import { routes } from '../../schemas/routes/index.ts';
import { breakingChanges } from './breakingChanges.ts';

const Document = z.record(z.string(), z.unknown());

/** The last released document of this major version: `node test/contract/releaseDocument.ts` at a release. */
const released = Document.parse(
  JSON.parse(gunzipSync(readFileSync(new URL('openapi-1.json.gz', import.meta.url))).toString('utf8')),
);
const current = Document.parse(JSON.parse(JSON.stringify(buildOpenapi(routes, 'https://api.example.com'))));

it('the API document only grows compared with the last released one', () => {
  expect(breakingChanges(released, current)).toEqual([]);
});

/** Changes one place of the current document, given by its names. */
const altered = (
  names: readonly string[],
  change: (parent: Record<string, unknown>, name: string) => void,
) => {
  const document = structuredClone(current);
  const parents = names.slice(0, -1);
  const parent = parents.reduce<unknown>((inside, name) => Object(inside)[name], document);
  change(Object(parent), names.at(-1) ?? '');
  return breakingChanges(current, document);
};
const remove = (parent: Record<string, unknown>, name: string) => delete parent[name];
const schemas = ['components', 'schemas'];

describe('a breaking change is found:', () => {
  it.each([
    ['a removed path', ['paths', '/healthz'], remove],
    ['a removed operation', ['paths', '/api/v1/budgets/{id}', 'patch'], remove],
    ['a removed success', ['paths', '/api/v1/budgets', 'post', 'responses', '201'], remove],
    ['a removed response member', [...schemas, 'AttributionRecord', 'properties', 'cost_usd'], remove],
    [
      'a member that may be missing',
      [...schemas, 'AttributionRecord', 'required'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = [];
      },
    ],
    [
      'a removed enum value',
      [...schemas, 'Problem', 'properties', 'error_code', 'enum'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = [parent[name]].flat().slice(1);
      },
    ],
    [
      'another type of a member',
      [...schemas, 'AttributionRecord', 'properties', 'input_tokens'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = { type: 'string' };
      },
    ],
    [
      'a removed query parameter',
      ['paths', '/v1/attribution', 'get', 'parameters'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = [parent[name]].flat().slice(1);
      },
    ],
    [
      'a new required parameter',
      ['paths', '/v1/attribution', 'get', 'parameters'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = [parent[name], { in: 'query', name: 'fresh', required: true, schema: {} }].flat();
      },
    ],
    [
      'a new required member of a body',
      [...schemas, 'ApiKeyRequest', 'required'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = [parent[name], 'expires_at'].flat();
      },
    ],
    ['a removed member of a body', [...schemas, 'ApiKeyRequest', 'properties', 'expires_at'], remove],
    [
      'a body that became required',
      ['paths', '/api/v1/api-keys/{id}/rotate', 'post', 'requestBody', 'required'],
      (parent: Record<string, unknown>, name: string) => {
        parent[name] = true;
      },
    ],
    [
      'a removed media type',
      ['paths', '/api/v1/events', 'post', 'requestBody', 'content', 'application/cloudevents+json'],
      remove,
    ],
    [
      'a removed header',
      ['paths', '/v1/attribution', 'get', 'responses', '200', 'headers', 'RateLimit-Reset'],
      remove,
    ],
  ] as const)('%s', (_, names, change) => {
    expect(altered(names, change)).not.toEqual([]);
  });
});

it.each([
  ['a new path', ['paths', '/new'], { get: {} }],
  ['a new response member', [...schemas, 'AttributionRecord', 'properties', 'fresh'], { type: 'string' }],
  [
    'a new optional member of a body',
    [...schemas, 'ApiKeyRequest', 'properties', 'fresh'],
    { type: 'string' },
  ],
] as const)('%s breaks nobody', (_, names, value) => {
  const change = (parent: Record<string, unknown>, name: string) => {
    parent[name] = value;
  };

  expect(altered(names, change)).toEqual([]);
});
