import { parseArgs } from 'node:util';
import * as z from 'zod';

export const USAGE = `Usage: npm start -- [options]

  --port N                 port on 127.0.0.1 (also PORT); default 3000, 0 takes any free one
  --data-dir DIR           where state is kept; default .local
  --fresh                  forget that state first
  --no-sample              start without sample traffic
  --rate-limit-scale X     multiply every rate limit
  --clock-offset SECONDS   shift the service's clock

AWS_ENDPOINT_URL_DYNAMODB, _SQS, _S3 and _KMS replace an embedded engine.
OIDC_ISSUER with OIDC_CLIENT_ID replace the embedded provider that users sign in through; the client must be
public and admit the redirect URI http://127.0.0.1:PORT/v1/oauth/callback.`;

const Options = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  dataDir: z.string().min(1),
  fresh: z.boolean(),
  sample: z.boolean(),
  rateLimitScale: z.coerce.number().positive().optional(),
  clockOffset: z.coerce.number().optional(),
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
      'clock-offset': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return Options.parse({
    port: values.port ?? environment['PORT'] ?? 3_000,
    dataDir: values['data-dir'],
    fresh: values.fresh,
    sample: values.sample,
    rateLimitScale: values['rate-limit-scale'],
    clockOffset: values['clock-offset'],
    oidcIssuer: environment['OIDC_ISSUER'] || undefined,
    oidcClientId: environment['OIDC_CLIENT_ID'] || undefined,
    help: values.help,
  });
};
