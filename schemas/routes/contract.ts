import * as z from 'zod';
import { errorCodes } from '../problems.ts';
import { route } from './route.ts';

export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const Readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(z.string(), z.enum(['ok', 'failed'])),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;

export const getHealth = route({
  method: 'GET',
  path: '/healthz',
  operation: 'getHealth',
  unit: 'contract',
  summary: 'Whether the process runs',
  access: 'public',
  rate: 'none',
  needs: [],
  replies: { 200: { description: 'It runs', body: Health } },
});

export const getReadiness = route({
  method: 'GET',
  path: '/readyz',
  operation: 'getReadiness',
  unit: 'contract',
  summary: 'Whether everything the service depends on answers',
  access: 'public',
  rate: 'none',
  needs: ['tenants.probe', 'accepted.probe', 'signing.verify'],
  replies: {
    200: { description: 'Every dependency answers', body: Readiness },
    503: { description: 'At least one does not', body: Readiness },
  },
});

export const getOpenapi = route({
  method: 'GET',
  path: '/openapi.json',
  operation: 'getOpenapi',
  unit: 'contract',
  summary: 'This API as an OpenAPI 3.1 document',
  access: 'contract',
  rate: 'read',
  needs: [],
  replies: { 200: { description: 'The document', body: z.looseObject({ openapi: z.string() }) } },
});

export const ErrorPage = z
  .object({
    error_code: z.enum(errorCodes),
    status: z.int(),
    title: z.string(),
    retryable: z.boolean(),
    help: z.string(),
  })
  .meta({ id: 'ErrorPage' });

export const getErrorPage = route({
  method: 'GET',
  path: '/errors/{slug}',
  operation: 'getErrorPage',
  unit: 'contract',
  summary: 'What an error code means and what to do about it',
  access: 'contract',
  rate: 'read',
  needs: [],
  replies: { 200: { description: 'The page a problem links to', body: ErrorPage } },
});
