import * as z from 'zod';
import { NotifiableEventType } from '../../delivery/notifications.ts';
import { ReadinessChecks } from '../../platform/readiness.ts';
import { ErrorCodeName, Problem } from '../../problems.ts';
import { route } from '../route.ts';

export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const Readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: ReadinessChecks,
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof Readiness>;

export const getHealth = route({
  method: 'GET',
  path: '/healthz',
  operation: 'getHealth',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'contract',
  summary: 'Check that the service is running',
  description:
    'Answers while the process runs, without a look at its dependencies. Use it to check whether a process is alive.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: { 200: { description: 'The service is running', body: Health } },
});

export const getReadiness = route({
  method: 'GET',
  path: '/readyz',
  operation: 'getReadiness',
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'none' },
  unit: 'contract',
  summary: 'Check that all dependencies of the service are available',
  description: 'The result can be one second old.',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [
    'tenants.probe',
    'access.probe',
    'grants.probe',
    'ledger.probe',
    'accepted.probe',
    'exports.probe',
    'exportRuns.probe',
    'signing.verify',
  ],
  replies: {
    200: { description: 'All dependencies are available', body: Readiness },
    503: {
      description: 'At least one dependency is unavailable',
      body: Problem,
      contentType: 'application/problem+json',
      headers: { 'Retry-After': 'Seconds to wait' },
    },
  },
});

const validators = {
  ETag: 'Identifies this version of the document. Send it in If-None-Match',
  Vary: 'The response depends on Accept-Encoding',
};

/** The replies of a route that publishes a document. */
export const publishedReplies = (body: z.ZodType, description: string, contentType = 'application/json') => ({
  200: { description, body, contentType, headers: validators },
  304: { description: 'The document has the ETag in If-None-Match', headers: validators },
});

export const getOpenapi = route({
  method: 'GET',
  path: '/openapi.json',
  operation: 'getOpenapi',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'contract',
  summary: 'Read the OpenAPI 3.1 document of this API',
  description:
    'The document is built from the route table that the service runs on. It changes only with a deployment. Send the ETag in If-None-Match to get 304 while it is unchanged.',
  access: 'contract',
  discloses: 'none',
  rate: 'read',
  needs: [],
  replies: publishedReplies(z.looseObject({ openapi: z.string() }), 'The OpenAPI document'),
});

export const getPostman = route({
  method: 'GET',
  path: '/postman.json',
  operation: 'getPostman',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'contract',
  summary: 'Read the API as a Postman collection',
  description:
    'Import the URL in Postman and set the variable apiKey. Examples are the bodies, and ids of lists and creations are kept for the requests that need one.',
  access: 'contract',
  discloses: 'none',
  rate: 'read',
  needs: [],
  replies: publishedReplies(
    z.looseObject({ info: z.looseObject({ schema: z.string() }) }),
    'A collection of format 2.1.0',
  ),
});

export const ErrorPage = z
  .object({
    error_code: ErrorCodeName,
    status: z.int(),
    title: z.string(),
    retryable: z.boolean(),
    help: z.string().meta({ description: 'Cause and remedy' }),
  })
  .meta({ id: 'ErrorPage' });

const ErrorCatalogue = z
  .object({
    version: z
      .string()
      .meta({ description: 'Semantic version. A new error code raises the minor version', example: '1.0.0' }),
    errors: z.array(
      ErrorPage.extend({ type: z.url().meta({ description: 'type and docs_url of the problem' }) }),
    ),
  })
  .meta({ id: 'ErrorCatalogue' });
export type ErrorCatalogue = z.infer<typeof ErrorCatalogue>;

const PUBLIC_PAGES =
  'Always public: a client whose credential is refused needs it most, and it holds no data of a tenant.';

export const listErrors = route({
  method: 'GET',
  path: '/errors',
  operation: 'listErrors',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'contract',
  summary: 'List all error codes',
  description: `${PUBLIC_PAGES} Within a major version of the API no code is removed and no status changes.`,
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: { 200: { description: 'The error catalogue', body: ErrorCatalogue, isPageToo: true } },
});

export const getErrorPage = route({
  method: 'GET',
  path: '/errors/{slug}',
  operation: 'getErrorPage',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'contract',
  summary: 'Read the cause and the remedy of an error code',
  description: PUBLIC_PAGES,
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: {
    200: { description: 'The page that docs_url of a problem refers to', body: ErrorPage, isPageToo: true },
  },
});

export const NotificationHelp = z
  .object({
    type: NotifiableEventType,
    title: z.string(),
    help: z.string().meta({ description: 'What it means and what to do' }),
    read_notification: z
      .string()
      .meta({ description: 'A command that reads the notifications of this type' }),
    read_subject: z.string().meta({
      description:
        'A command that reads what the notification is about. The notification has its path in `link`',
    }),
    reference: z.string().meta({ description: 'The OpenAPI document' }),
  })
  .meta({ id: 'NotificationHelp' });

export const getNotificationPage = route({
  method: 'GET',
  path: '/notifications/{type}',
  operation: 'getNotificationPage',
  unit: 'contract',
  summary: 'Read what a notification means and how to read it in the API',
  description: 'The page that e-mails and chat messages link to. It is the same for every tenant.',
  access: 'public',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: {
    200: { description: 'The explanation of a notification type', isPageToo: true, body: NotificationHelp },
  },
});
