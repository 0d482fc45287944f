import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import * as z from 'zod';

const require = createRequire(import.meta.url);
const packageRoot = dirname(dirname(require.resolve('@sparticuz/chromium')));
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')));
/** The package has one font, which is proportional. Most systems have this one as "Liberation Mono". */
const MONOSPACE = 'Cousine';
const folder = join(dirname(dirname(packageRoot)), '.cache', `chromium-${version}-${MONOSPACE}`);

const unpack = (name: string): Buffer => brotliDecompressSync(readFileSync(join(packageRoot, 'bin', name)));

const unpackFolder = (name: string, target: string): void => {
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-x', '-C', target], { input: unpack(name) });
};

/** Without a font, Chromium ends at the first text. The packaged configuration names a folder that does not exist. */
const fontConfiguration = (root: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${join(root, 'fonts')}</dir><cachedir>${join(root, 'fonts-cache')}</cachedir>
<alias><family>monospace</family><prefer><family>${MONOSPACE}</family></prefer></alias>
</fontconfig>
`;

/**
 * Unpacks the browser of the package once for each of its versions, below `node_modules/.cache`. The finished folder is
 * renamed into place, so that a process never finds half a browser.
 */
export const prepareChromium = (): string => {
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'chromium'), unpack('chromium.br'));
  chmodSync(join(unfinished, 'chromium'), 0o755);
  unpackFolder('fonts.tar.br', unfinished);
  const monospace = require.resolve('@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf');
  copyFileSync(monospace, join(unfinished, 'fonts', basename(monospace)));
  unpackFolder('al2023.tar.br', join(unfinished, 'libraries'));
  writeFileSync(join(unfinished, 'fonts.conf'), fontConfiguration(folder));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
};

/** Starts the browser. Where its package has none for the platform, an installed Chrome is used. */
export const launchChromium = (): Promise<Browser> => {
  const root = prepareChromium();
  if (!existsSync(root)) return chromium.launch({ channel: 'chrome' });
  return chromium.launch({
    executablePath: join(root, 'chromium'),
    // Not the arguments of the package: they disable the security of the web.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    chromiumSandbox: false,
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined)),
      FONTCONFIG_FILE: join(root, 'fonts.conf'),
      LD_LIBRARY_PATH: join(root, 'libraries', 'lib'),
    } as Record<string, string>,
  });
};
