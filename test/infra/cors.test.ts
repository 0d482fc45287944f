import { expect, it } from 'vitest';
import { Settings } from '../../lib/settings.ts';
import { apiBodyOf, templateOf } from './stack.ts';

const corsOf = (settings: Parameters<typeof templateOf>[0]) =>
  apiBodyOf(templateOf(settings))['x-amazon-apigateway-cors'];

it('allows requests from browsers only to the origins that the operator sets, and without cookies', () => {
  expect(corsOf({})).toBeUndefined();
  expect(corsOf({ corsOrigins: 'https://a.example.com,http://localhost:5173' })).toEqual({
    allowOrigins: ['https://a.example.com', 'http://localhost:5173'],
  });
});

it.each(['*', 'https://*', 'http://a.example.com', 'https://a.example.com/', 'a.example.com'])(
  'refuses %s as an origin',
  (origin) => {
    expect(Settings.safeParse({ corsOrigins: origin }).success).toBe(false);
  },
);
