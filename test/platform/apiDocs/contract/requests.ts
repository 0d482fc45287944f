import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { problemSlug } from '../../../../schemas/problems.ts';
import type { RouteShape } from '../../../../schemas/routes/route.ts';
import type { Request } from '../../../support/client.ts';
import { SILENT_RECEIVER } from '../../../support/webhooks.ts';
import { sampleOf } from './sample.ts';

/** A ULID that no record has. */
export const ABSENT_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** As the build compresses it. */
const style = gzipSync(
  readFileSync(
    new URL('../../../../functions/platform/apiDocs/reference/browser/explorer.css', import.meta.url),
  ),
  {
    level: 9,
  },
);

/** The delivery of bills that valid requests name. */
export const EXAMPLE_DELIVERY = 'openai-bill-1';

/** Values of path parameters that are not ids. Other parameters get a value that matches no resource. */
const knownParameters: Readonly<Record<string, string>> = {
  slug: problemSlug('RATE_LIMITED'),
  type: 'budget.threshold.crossed',
  // The delivery of the example of a bill.
  delivery_id: EXAMPLE_DELIVERY,
  // A period that has ended.
  period: '2026-01',
  asset: `explorer-${createHash('sha256').update(style).digest('hex').slice(0, 16)}.css`,
};

/** The path of the route with each id replaced by `idOf` of its prefix. */
export const pathOf = (route: RouteShape, idOf: (prefix: string) => string): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const prefix = route.ids?.[name];
    return prefix === undefined ? (knownParameters[name] ?? 'none') : idOf(prefix);
  });

/** A valid request, generated from the schemas of the route. OAuth forms authenticate as `client`. */
export const goodRequest = (
  { method, body }: RouteShape,
  client: { readonly client_id: string; readonly client_secret: string },
): Request => {
  if (body === undefined) return { method };
  const sample = sampleOf(body.schema);
  // Public host names do not resolve on every machine that runs the tests.
  const reachable =
    'url' in Object(sample) ? { ...Object(sample), url: `https://${SILENT_RECEIVER}/` } : sample;
  if (body.kind !== 'form') return { method, body: reachable };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(sample))) {
    // The client authenticates with HTTP Basic instead of its example members.
    if (!name.startsWith('client_')) form.set(name, String(value));
  }
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  return {
    method,
    body: form.toString(),
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    idempotencyKey: null,
  };
};
