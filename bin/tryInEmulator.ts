import { tryInEmulator } from '../tools/deploy/emulator/emulatorTrial.ts';
import { errorText } from '../tools/operator/errorText.ts';

try {
  process.exitCode = (await tryInEmulator((line) => console.info(line))) === 0 ? 0 : 1;
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
