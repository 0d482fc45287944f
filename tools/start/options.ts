import { parseArgs } from 'node:util';
import * as z from 'zod';
import { withJoinedValues } from '../../sdk/shared/joinedValues.ts';

export const USAGE = `Usage: npm start -- [options]

  --port N                 port on 127.0.0.1, 0 for any free port (default: PORT or 3000)
  --data-dir DIR           data directory (default: .local)
  --fresh                  delete the data of the data directory first
  --no-sample              start without sample traffic
  --rate-limit-scale X     multiply every rate limit by X
  --clock-offset SECONDS   shift the clock of the service
  --allow-webhook-host HOST:PORT
                           allow webhooks to this receiver on this machine, over https (repeatable)
  --cors-origin ORIGIN     allow pages of this origin to call the API from a browser (repeatable)
  --ca FILE                trust this certificate authority (PEM) for webhook receivers, besides the public ones
  --retry-scale X          multiply the webhook retry delays, and the retry period of one day, by X

AWS_ENDPOINT_URL_DYNAMODB, _SQS, _S3, _KMS, _SFN and _SESV2 replace an embedded engine. AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY are then the credentials of all engines. By default they are new at each start.
BILLS_OPENAI_URL, BILLS_ANTHROPIC_URL, BILLS_S3_URL and AWS_ENDPOINT_URL_STS replace what bill sources call.
OIDC_ISSUER and OIDC_CLIENT_ID replace the embedded sign-in provider. The client must be public and allow the
redirect URI http://127.0.0.1:PORT/v1/oauth/callback.`;

const Options = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  dataDir: z.string().min(1),
  fresh: z.boolean(),
  sample: z.boolean(),
  rateLimitScale: z.coerce.number().positive().optional(),
  retryScale: z.coerce.number().positive().optional(),
  clockOffset: z.coerce.number().optional(),
  allowWebhookHosts: z.array(
    z
      .string()
      .regex(/^[^\s,/@]+:\d{1,5}$/, '--allow-webhook-host must be a host and a port, such as localhost:8443'),
  ),
  corsOrigins: z.array(z.string()),
  ca: z.string().min(1).optional(),
  oidcIssuer: z.string().optional(),
  oidcClientId: z.string().optional(),
  help: z.boolean(),
});
export type Options = z.infer<typeof Options>;

const options = {
  port: { type: 'string' },
  'data-dir': { type: 'string', default: '.local' },
  fresh: { type: 'boolean', default: false },
  sample: { type: 'boolean', default: true },
  'rate-limit-scale': { type: 'string' },
  'retry-scale': { type: 'string' },
  'clock-offset': { type: 'string' },
  'allow-webhook-host': { type: 'string', multiple: true },
  'cors-origin': { type: 'string', multiple: true },
  ca: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Parses the command line. Throws for an unknown option or an invalid value. */
export const readOptions = (args: readonly string[], environment: NodeJS.ProcessEnv): Options => {
  const { values } = parseArgs({ args: withJoinedValues(args, options), allowNegative: true, options });
  return Options.parse({
    port: values.port ?? environment['PORT'] ?? 3_000,
    dataDir: values['data-dir'],
    fresh: values.fresh,
    sample: values.sample,
    rateLimitScale: values['rate-limit-scale'],
    retryScale: values['retry-scale'],
    clockOffset: values['clock-offset'],
    allowWebhookHosts: values['allow-webhook-host'] ?? [],
    corsOrigins: values['cors-origin'] ?? [],
    ca: values.ca,
    oidcIssuer: environment['OIDC_ISSUER'] || undefined,
    oidcClientId: environment['OIDC_CLIENT_ID'] || undefined,
    help: values.help,
  });
};
