import { afterAll, describe } from 'vitest';
import { routes } from '../schemas/routes/index.ts';
import { routeKey } from '../schemas/routes/route.ts';
import { testBodies } from './routes/bodies.ts';
import { testCredentials } from './routes/credentials.ts';
import { testCursors } from './routes/cursors.ts';
import { testGeneratedRequests } from './routes/generatedRequests.ts';
import { testIdempotency } from './routes/idempotency.ts';
import { testIds } from './routes/ids.ts';
import { testPaths } from './routes/paths.ts';
import { testStatedValues } from './routes/statedValues.ts';
import { testValidRequests } from './routes/validRequests.ts';
import { startRouteWorld } from './routes/world.ts';

// One instance for all of them, because the start and the first call of each function take longer than their requests.
const world = await startRouteWorld();
afterAll(world.stop);

describe.each(routes.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  testValidRequests(world, route);
  testCredentials(world, route);
  testIds(world, route);
  testCursors(world, route);
  testIdempotency(world, route);
  testBodies(world, route);
});

testPaths(world);
testStatedValues(world);
testGeneratedRequests(world);
