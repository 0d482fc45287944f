import { expect, it } from 'vitest';
import * as z from 'zod';
import { Settings } from '../../lib/settings.ts';
import { resourcesOf, templateOf } from './stack.ts';

const Api = z.object({
  CorsConfiguration: z
    .object({ AllowOrigins: z.array(z.string()), AllowCredentials: z.boolean().optional() })
    .optional(),
});
const corsOf = (settings: Parameters<typeof templateOf>[0]) =>
  [...resourcesOf(templateOf(settings), 'AWS::ApiGatewayV2::Api', Api).values()].map(
    ({ CorsConfiguration }) => CorsConfiguration,
  );

it('allows requests from browsers only to the origins that the operator sets, and without cookies', () => {
  expect(corsOf({})).toEqual([undefined]);
  expect(corsOf({ corsOrigins: 'https://a.example.com,http://localhost:5173' })).toEqual([
    { AllowOrigins: ['https://a.example.com', 'http://localhost:5173'] },
  ]);
});

it.each(['*', 'https://*', 'http://a.example.com', 'https://a.example.com/', 'a.example.com'])(
  'refuses %s as an origin',
  (origin) => {
    expect(Settings.safeParse({ corsOrigins: origin }).success).toBe(false);
  },
);
