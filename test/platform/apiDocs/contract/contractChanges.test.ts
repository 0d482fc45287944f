import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../functions/platform/apiDocs/reference/changes/change.ts';
import { contractChanges } from '../../../../functions/platform/apiDocs/reference/changes/compareDocuments.ts';
import { breakingChanges } from './majorChanges.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });

/** A small document with every kind of place that a change can concern. */
const base = {
  openapi: '3.1.1',
  servers: [{ url: 'https://api.example.com' }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        security: [{ apiKey: [] }, { oauth2: ['read'] }],
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200 } },
          { name: 'state', in: 'query', schema: { enum: ['open', 'closed'] } },
        ],
        responses: {
          200: {
            description: 'A page',
            headers: { 'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' } },
            content: json({ type: 'array', items: ref('Order') }),
          },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
      post: {
        operationId: 'createOrder',
        security: [{ apiKey: [] }, { oauth2: ['write'] }],
        requestBody: { required: false, content: { ...json(ref('Draft')), 'text/plain': { schema: {} } } },
        'x-limits': { bytes: 1_024, resources: 20 },
        responses: { 201: { description: 'The order', content: json(ref('Order')) } },
      },
      delete: { operationId: 'deleteOrders', responses: { 204: { description: 'Deleted' } } },
    },
    '/health': { get: { operationId: 'getHealth', security: [], responses: { 200: { description: 'Up' } } } },
  },
  webhooks: {
    'order.created': {
      post: {
        operationId: 'onOrderCreated',
        parameters: [{ name: 'Signature', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: json(ref('Event')) },
        responses: { 200: { description: 'Acknowledged', content: json(ref('Answer')) } },
      },
    },
  },
  components: {
    headers: { 'RateLimit-Limit': { schema: { type: 'integer' } } },
    responses: { NotFound: { description: 'None', content: json(ref('Problem')) } },
    schemas: {
      Order: {
        type: 'object',
        required: ['id', 'state', 'price'],
        properties: {
          id: { type: 'string' },
          state: { type: 'string', enum: ['open', 'closed'] },
          price: { type: 'string', format: 'decimal' },
          note: { type: ['string', 'null'] },
          payment: { oneOf: [ref('Card'), ref('Transfer')] },
          delivery: ref('Sent'),
        },
      },
      Card: { type: 'object', required: ['number'], properties: { number: { type: 'string' } } },
      Sent: {
        type: 'object',
        required: ['kind', 'carrier'],
        properties: { kind: { const: 'parcel' }, carrier: { type: 'string' } },
      },
      Transfer: { type: 'object', required: ['account'], properties: { account: { type: 'string' } } },
      Draft: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 64, 'x-max-words': 12 },
          count: { type: 'integer', minimum: 0, default: 1 },
          labels: { type: 'array', maxItems: 20, items: { type: 'string' } },
          unit: { enum: ['piece', 'box'] },
          more: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      Event: {
        type: 'object',
        required: ['type', 'data'],
        properties: { type: { const: 'order.created' }, data: ref('Order'), sequence: { type: 'integer' } },
      },
      Answer: { type: 'object', required: ['challenge'], properties: { challenge: { type: 'string' } } },
      Problem: { type: 'object', required: ['code'], properties: { code: { enum: ['A', 'B'] } } },
    },
  },
};

/** A path of member names with dots, since `/` is part of names. */
type Edit = readonly [title: string, path: readonly (string | number)[], value: unknown];

/** The base with one member replaced. Undefined removes it. */
const edited = ([, path, value]: Edit): Json => {
  const document = structuredClone(base);
  const parent = path.slice(0, -1).reduce<unknown>((inside, name) => Object(inside)[name], document);
  const name = path.at(-1) ?? '';
  if (value === undefined) delete Object(parent)[name];
  else Object(parent)[name] = value;
  return document;
};

const list = ['paths', '/orders', 'get'] as const;
const create = ['paths', '/orders', 'post'] as const;
const hook = ['webhooks', 'order.created', 'post'] as const;
const schemas = ['components', 'schemas'] as const;
const order = [...schemas, 'Order', 'properties'] as const;
const draft = [...schemas, 'Draft', 'properties'] as const;

const pickedUp = { type: 'object', required: ['kind'], properties: { kind: { const: 'pickup' } } };

const breaking: readonly Edit[] = [
  ['a removed path', ['paths', '/health'], undefined],
  ['another operation id', [...list, 'operationId'], 'getOrders'],
  ['a new scope', [...list, 'security'], [{ apiKey: [] }, { oauth2: ['read', 'admin'] }]],
  [
    'a new scope beside another way with more scopes',
    [...list, 'security'],
    [{ apiKey: [] }, { oauth2: ['read', 'admin'] }, { oauth2: ['write'] }],
  ],
  ['a credential that became required', ['paths', '/health', 'get', 'security'], [{ apiKey: [] }]],
  ['a removed way to authenticate', [...list, 'security'], [{ apiKey: [] }]],
  ['a removed query parameter', [...list, 'parameters'], [base.paths['/orders'].get.parameters[0]]],
  ['a query parameter that became required', [...list, 'parameters', 0, 'required'], true],
  [
    'a new required query parameter',
    [...list, 'parameters', 2],
    { name: 'since', in: 'query', required: true, schema: { type: 'string' } },
  ],
  ['a lower maximum of a query parameter', [...list, 'parameters', 0, 'schema', 'maximum'], 100],
  ['a removed value of a query parameter', [...list, 'parameters', 1, 'schema', 'enum'], ['open']],
  ['another style of a query parameter', [...list, 'parameters', 1, 'explode'], false],
  ['a smaller limit of an operation', [...create, 'x-limits', 'resources'], 10],
  ['a new limit of an operation', [...list, 'x-limits'], { period_days: 31 }],
  ['fewer words in a request', [...draft, 'name', 'x-max-words'], 6],
  ['a body that became required', [...create, 'requestBody', 'required'], true],
  ['a removed media type', [...create, 'requestBody', 'content', 'text/plain'], undefined],
  ['a removed request member', [...draft, 'labels'], undefined],
  ['a request member that became required', [...schemas, 'Draft', 'required'], ['name', 'count']],
  ['a new pattern in a request', [...draft, 'name', 'pattern'], '^[a-z]+$'],
  ['a shorter text in a request', [...draft, 'name', 'maxLength'], 32],
  ['another default in a request', [...draft, 'count', 'default'], 2],
  ['unknown request members refused', [...schemas, 'Draft', 'additionalProperties'], false],
  ['another type of nested request values', [...draft, 'more', 'additionalProperties', 'type'], 'integer'],
  ['a removed success status', [...create, 'responses'], { 202: { description: 'Queued' } }],
  ['a removed response header', [...list, 'responses', 200, 'headers'], {}],
  ['a removed response member', [...order, 'price'], undefined],
  ['a response member that may be missing', [...schemas, 'Order', 'required'], ['id', 'state']],
  ['a response member that may be null', [...order, 'price', 'type'], ['string', 'null']],
  ['a smaller enum in a response', [...order, 'state', 'enum'], ['open']],
  ['another alternative in a response', [...order, 'payment', 'oneOf', 2], { type: 'object' }],
  [
    'an alternative that no required member tells apart',
    [...order, 'delivery'],
    { oneOf: [ref('Sent'), ref('Card')] },
  ],
  [
    'an alternative with the value of another',
    [...order, 'delivery'],
    { oneOf: [ref('Sent'), { ...pickedUp, properties: { kind: { const: 'parcel' } } }] },
  ],
  [
    'alternatives of which none has a former member',
    [...order, 'delivery'],
    { oneOf: [{ ...pickedUp, properties: { kind: { const: 'parcel' } } }, pickedUp] },
  ],
  ['a removed header of an event', [...hook, 'parameters'], []],
  ['a removed member of an event', [...schemas, 'Event', 'properties', 'sequence'], undefined],
  [
    'a new required member in the answer to an event',
    [...schemas, 'Answer', 'required'],
    ['challenge', 'id'],
  ],
];

const safe: readonly Edit[] = [
  [
    'an alternative scope',
    [...list, 'security'],
    [{ apiKey: [] }, { oauth2: ['read'] }, { oauth2: ['other'] }],
  ],
  ['another server', ['servers', 0, 'url'], 'https://other.example.com'],
  ['a new path', ['paths', '/new'], { get: { operationId: 'getNew', responses: {} } }],
  ['a new event', ['webhooks', 'order.deleted'], { post: { operationId: 'onOrderDeleted', responses: {} } }],
  ['a description', [...list, 'description'], 'More words'],
  ['a deprecation', [...list, 'deprecated'], true],
  ['a new optional query parameter', [...list, 'parameters', 2], { name: 'since', in: 'query', schema: {} }],
  ['a higher maximum of a query parameter', [...list, 'parameters', 0, 'schema', 'maximum'], 500],
  ['a new optional request member', [...draft, 'color'], { type: 'string' }],
  ['a longer text in a request', [...draft, 'name', 'maxLength'], 128],
  ['a larger limit of an operation', [...create, 'x-limits', 'resources'], 40],
  ['no limit of an operation', [...create, 'x-limits'], undefined],
  ['more words in a request', [...draft, 'name', 'x-max-words'], 24],
  ['a new value in a request', [...draft, 'unit', 'enum'], ['piece', 'box', 'pallet']],
  ['a request member that became optional', [...schemas, 'Draft', 'required'], []],
  ['a new response member', [...order, 'color'], { type: 'string' }],
  ['an alternative with a value of its own', [...order, 'delivery'], { oneOf: [ref('Sent'), pickedUp] }],
  ['a new response header', [...create, 'responses', 201, 'headers'], { Location: { schema: {} } }],
  ['a refusal that no longer happens', [...list, 'responses', 404], undefined],
];

describe('a change of the contract', () => {
  it.each(breaking)('breaks clients: %s', (...edit) => {
    expect(breakingChanges(base, edited(edit))).not.toEqual([]);
  });

  it.each(safe)('breaks no client: %s', (...edit) => {
    expect(breakingChanges(base, edited(edit))).toEqual([]);
  });

  it('is none when nothing changes', () => {
    expect(contractChanges(base, structuredClone(base))).toEqual([]);
  });

  it('is listed with its operation, its place and the version that it needs', () => {
    const color: Edit = ['a new response member', [...order, 'color'], { type: 'string' }];

    expect(contractChanges(base, edited(color))).toEqual([
      { bump: 'minor', operation: 'GET /orders', at: 'response 200.items.color', change: 'added' },
    ]);
  });
});

it('has 37 breaking and 19 safe edits', () => {
  expect([breaking.length, safe.length]).toEqual([37, 19]);
});
