import { errorText } from '../tools/operator/errorText.ts';
import { pricesCommand } from '../tools/prices/pricesCommand.ts';

try {
  console.info(await pricesCommand(process.argv.slice(2)));
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
