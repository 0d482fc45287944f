import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildOpenapi } from '../../../../functions/platform/apiDocs/contract/openapi.ts';
import { eventData } from '../../../../schemas/delivery/events.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import { resolveShared } from '../../../../tools/sdk/resolveShared.ts';

const document = z
  .object({
    webhooks: z.record(
      z.string(),
      z.object({
        post: z.object({
          operationId: z.string(),
          parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })),
          requestBody: z.object({
            content: z.object({ 'application/json': z.object({ schema: z.object({ $ref: z.string() }) }) }),
          }),
          responses: z.record(z.string(), z.looseObject({})),
        }),
      }),
    ),
    components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
  })
  .parse(resolveShared(JSON.parse(JSON.stringify(buildOpenapi(routes, 'https://api.example.com')))));

const Body = z.object({
  required: z.array(z.string()),
  properties: z.looseObject({ type: z.object({ const: z.string() }) }),
});
const schemaOf = (type: string): string =>
  document.webhooks[type]?.post.requestBody.content['application/json'].schema.$ref ?? '';
const bodyOf = (type: string) => {
  const name = schemaOf(type).replace('#/components/schemas/', '');
  return Body.parse(document.components.schemas[name]);
};
const types = Object.keys(eventData);

describe('the webhooks of the OpenAPI document', () => {
  it('contain exactly the event types', () => {
    expect(Object.keys(document.webhooks)).toEqual(types);
    const names = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(names).size).toBe(types.length);
  });

  it.each(types)('have a signature header and a body schema for %s', (type) => {
    const { parameters } = document.webhooks[type]?.post ?? {};
    const { required, properties } = bodyOf(type);

    expect(parameters).toMatchObject([{ name: 'Service-Signature', in: 'header', required: true }]);
    expect(properties.type.const).toBe(type);
    expect(required.sort()).toEqual(['created_at', 'data', 'id', 'sequence', 'tenant_id', 'type']);
    expect(Object.keys(properties).sort()).toEqual(
      [...required, 'interpretation', 'replayed', 'test'].sort(),
    );
  });

  it('describe the challenge response of the verification event only', () => {
    const withResponse = types.filter((type) => document.webhooks[type]?.post.responses['200']?.['content']);

    expect(withResponse).toEqual(['webhook.verification']);
  });
});
