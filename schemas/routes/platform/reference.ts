import * as z from 'zod';
import { route } from '../route.ts';
import { publishedReplies } from './contract.ts';

/** Sections of the reference that every caller may read. They hold no data of a tenant and no part of the API document. */
const PUBLIC =
  'Always public: it holds no data of a tenant. The page reads the API document with the key of its visitor.';

export const getReference = route({
  method: 'GET',
  path: '/docs',
  operation: 'getReference',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'reference',
  summary: 'Read the interactive reference of this API',
  description: `A page with a quick start, all operations and all webhook events. Each operation can be tried with an API key, which stays in the browser. ${PUBLIC}`,
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: publishedReplies(z.string(), 'The page', 'text/html'),
});

export const getReferenceAsset = route({
  method: 'GET',
  path: '/docs/{asset}',
  operation: 'getReferenceAsset',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'reference',
  summary: 'Read a script or a style of the reference',
  description: 'The name of each file has the hash of its content, so browsers keep it for a year.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: publishedReplies(z.string(), 'The file', '*/*'),
});

const ContractChange = z
  .object({
    bump: z.enum(['major', 'minor', 'patch']).meta({
      description: 'The part of the version that the change raises. Only a major change can break a client',
    }),
    operation: z.string().meta({
      description: 'Method and path, or the webhook event',
      example: 'GET /v1/attribution/{id}',
    }),
    at: z.string().meta({ description: 'The place in the operation', example: 'response 200.owner' }),
    change: z.string().meta({ example: 'added' }),
  })
  .meta({ id: 'ContractChange' });

const ContractChangelog = z
  .object({
    releases: z
      .array(
        z.object({
          version: z.string(),
          date: z.iso.date(),
          changes: z.array(ContractChange).meta({ description: 'Since the release before' }),
        }),
      )
      .meta({ description: 'Releases of this major version, newest first' }),
    unreleased: z
      .array(ContractChange)
      .meta({ description: 'Changes of this deployment since the newest release' }),
  })
  .meta({ id: 'ContractChangelog' });
export type ContractChangelog = z.infer<typeof ContractChangelog>;

export const getChangelog = route({
  method: 'GET',
  path: '/changelog.json',
  operation: 'getChangelog',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'reference',
  summary: 'Read the changes of the API between its releases',
  description:
    'Found by a comparison of the API documents: every added, changed or removed operation, member, limit, error and header. Texts and examples are not compared.',
  access: 'contract',
  discloses: 'none',
  rate: 'read',
  needs: [],
  replies: publishedReplies(ContractChangelog, 'The changelog'),
});
