import { writeScreens } from '../test/console/screens/takeScreens.ts';

await writeScreens('docs/console');
