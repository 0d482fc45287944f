import * as z from 'zod';
import { workerNames } from '../schemas/platform/workers.ts';
import { type UnitName, units } from '../schemas/routes/route.ts';

/** Context values from the command line are text. Those from `cdk.json` are JSON. */
export const Flag = z.union([z.boolean(), z.stringbool()]);
export const List = z.union([z.array(z.string()), z.string().transform((text) => text.split(','))]);

/** An account id delegates to the IAM policies of that account. A role ARN allows only this role. */
export const Principal = z
  .string()
  .regex(/^(?:\d{12}|arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+)$/, 'must be an account id or a role ARN');

export const DomainName = z
  .string()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/, 'must be a domain name in lower case');
export const CertificateArn = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    'must be the ARN of an ACM certificate',
  );

/** An origin (RFC 6454) without a path. Plain HTTP is for pages on the machine of a developer. */
export const Origin = z
  .string()
  .regex(
    /^(?:https:\/\/[a-z0-9.-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/,
    'must be an origin such as https://console.example.com',
  );

const functionNames: readonly string[] = [...units, ...workerNames.map((name) => `${name}.worker`)];

/** SQS event sources have at least 2, at most 1,000. Null: no limit. */
export const Concurrency = z.union([
  z.literal('none').transform(() => null),
  z.coerce.number().int().min(2).max(1_000),
]);
export const Reservation = z
  .templateLiteral([z.enum(units), '=', z.number().int().positive()], {
    error: `must be a unit with a number, such as ingest=200. Units: ${units.join(', ')}`,
  })
  .transform((text): [UnitName, number] => {
    const [unit, count] = text.split('=');
    return [z.enum(units).parse(unit), Number(count)];
  });

/** A function by the name of its unit or worker. Lambda has 128 MB to 10,240 MB. */
export const Memory = z
  .string()
  .regex(/^[A-Za-z]+(?:\.worker)?=\d+$/)
  .transform((text): [string, number] => {
    const [name = '', megabytes] = text.split('=');
    return [name, Number(megabytes)];
  })
  .refine(([name, megabytes]) => functionNames.includes(name) && megabytes >= 128 && megabytes <= 10_240, {
    error: 'must be a unit or worker with 128 to 10240 MB, such as attribution.worker=2048',
  });
