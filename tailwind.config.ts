import type { Config } from 'tailwindcss'

const token = (name: string) => `rgb(var(--${name}) / <alpha-value>)`

export default {
  content: ['./src/**/*.{astro,ts,tsx,md}'],
  darkMode: 'media',
  // Sets Tailwind's CSS variables only on elements that use them; by default, every element gets all of them.
  experimental: { optimizeUniversalDefaults: true },
  // Otherwise a touched element keeps its hover style, and the next frame waits until its descendants are restyled.
  future: { hoverOnlyWhenSupported: true },
  // Each page contains its styles, so they must be few. These words are in our code, but not as classes:
  blocklist: ['blur', 'filter', 'ring', 'visible', 'grow', 'border-collapse'],
  // A colour's opacity is part of the colour (`bg-accent/50`) instead of a variable of its own.
  corePlugins: {
    backgroundOpacity: false,
    borderOpacity: false,
    divideOpacity: false,
    placeholderOpacity: false,
    ringOpacity: false,
    textOpacity: false,
  },
  // A phone whose letters are about twice as large: with the usual ones, the narrowest phone is 20em wide.
  plugins: [
    ({ addVariant }: { addVariant: (name: string, query: string) => void }) =>
      addVariant('large-text', '@media (max-width: 15em)'),
  ],
  theme: {
    screens: { xs: '441px', sm: '565px', md: '768px', lg: '1024px', xl: '1280px' },
    extend: {
      colors: {
        paper: token('paper'),
        surface: token('surface'),
        sunken: token('sunken'),
        line: token('line'),
        edge: token('edge'),
        ink: token('ink'),
        muted: token('muted'),
        accent: token('accent'),
        'accent-strong': token('accent-strong'),
        'accent-ink': token('accent-ink'),
        'accent-soft': token('accent-soft'),
        good: token('good'),
        bad: token('bad'),
        info: token('info'),
        star: token('star'),
      },
      borderRadius: { card: 'var(--radius-card)', control: 'var(--radius-control)' },
      boxShadow: { card: 'var(--shadow-card)', raised: 'var(--shadow-raised)' },
      fontFamily: { sans: ['var(--font)'] },
      maxWidth: { page: '80rem', text: '42rem' },
    },
  },
} satisfies Config
