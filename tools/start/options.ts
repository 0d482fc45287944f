import { parseArgs } from 'node:util';
import * as z from 'zod';

export const USAGE = `Usage: npm start -- [options]

  --port N                 port on 127.0.0.1 (also PORT); default 3000, 0 takes any free one
  --data-dir DIR           where state is kept; default .local
  --fresh                  forget that state first
  --no-sample              start without sample traffic
  --rate-limit-scale X     multiply every rate limit
  --clock-offset SECONDS   shift the service's clock
  --allow-webhook-host HOST:PORT
                           a webhook receiver on this machine that may be called (repeatable); still over https
  --ca FILE                certificate authority (PEM) that webhook receivers are believed by, beside the public ones
  --retry-scale X          multiply the waits between attempts at a webhook, and the day they go on for

AWS_ENDPOINT_URL_DYNAMODB, _SQS, _S3, _KMS, _SFN and _SESV2 replace an embedded engine.
OIDC_ISSUER with OIDC_CLIENT_ID replace the embedded provider that users sign in through; the client must be
public and admit the redirect URI http://127.0.0.1:PORT/v1/oauth/callback.`;

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
      .regex(/^[^\s,/@]+:\d{1,5}$/, '--allow-webhook-host takes a host and a port, such as localhost:8443'),
  ),
  ca: z.string().min(1).optional(),
  oidcIssuer: z.string().optional(),
  oidcClientId: z.string().optional(),
  help: z.boolean(),
});
export type Options = z.infer<typeof Options>;

/** Reads the command line. Throws on what it does not know, rather than starting something else than was asked for. */
export const readOptions = (args: string[], environment: NodeJS.ProcessEnv): Options => {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      port: { type: 'string' },
      'data-dir': { type: 'string', default: '.local' },
      fresh: { type: 'boolean', default: false },
      sample: { type: 'boolean', default: true },
      'rate-limit-scale': { type: 'string' },
      'retry-scale': { type: 'string' },
      'clock-offset': { type: 'string' },
      'allow-webhook-host': { type: 'string', multiple: true, default: [] },
      ca: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return Options.parse({
    port: values.port ?? environment['PORT'] ?? 3_000,
    dataDir: values['data-dir'],
    fresh: values.fresh,
    sample: values.sample,
    rateLimitScale: values['rate-limit-scale'],
    retryScale: values['retry-scale'],
    clockOffset: values['clock-offset'],
    allowWebhookHosts: values['allow-webhook-host'],
    ca: values.ca,
    oidcIssuer: environment['OIDC_ISSUER'] || undefined,
    oidcClientId: environment['OIDC_CLIENT_ID'] || undefined,
    help: values.help,
  });
};
