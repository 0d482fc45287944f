import { pricesCommand } from '../tools/prices/pricesCommand.ts';

try {
  console.info(await pricesCommand(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
