import * as z from 'zod';
import { route } from '../route.ts';

const page = {
  method: 'GET',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'console',
  access: 'public',
  discloses: 'none',
  rate: 'none',
  needs: [],
  /** The page itself reads its query. */
  query: z.looseObject({}),
  replies: { 200: { description: 'A page or a file of the console' } },
} as const;

export const getConsoleStart = route({
  ...page,
  path: '/console',
  operation: 'getConsoleStart',
  summary: 'The start page of the web console',
});

export const getConsoleFile = route({
  ...page,
  path: '/console/{path+}',
  operation: 'getConsoleFile',
  summary: 'A page or a file of the web console',
});
