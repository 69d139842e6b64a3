// Bots in JavaScript: the text of a bot becomes a function that makes the bot anew for each game.
// Its text defines `answer(question)`, which returns {move} or {cells} (docs/one-file.md).
//
// A bot has the worker to itself while it thinks, so before each question the page is told: if no
// answer follows in time, the page ends the worker.
const made = new Map(); // name -> what makes the bot, or the reason why it cannot

// The text is loaded as a script of its own: the page's policy allows no eval, and an error has the
// line of the bot's text.
function load(name, source) {
  const key = JSON.stringify(name);
  const text = `self.turfBots ??= {}; self.turfBots[${key}] = () => { ${source}
;return typeof answer === 'function' ? answer : undefined; };`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    importScripts(address);
    return Object.assign(self.turfBots[name], { address });
  } catch (error) {
    return `${error.name}: ${error.message}`;
  } finally {
    URL.revokeObjectURL(address);
  }
}

// An error of a bot in words, with the line of its text.
function wordsOf(error, make) {
  const frame = (error?.stack ?? '').split(`${make.address}:`)[1];
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return frame ? `${words} (line ${parseInt(frame, 10)})` : words;
}

export function makeScripts(tell) {
  const sources = new Map();
  const running = new Map(); // number -> {name, answer}
  let nStarted = 0;
  let hung; // a bot that is known not to answer its next question

  const hooks = {
    has_script: (engine, at) => (sources.has(engine.text(at)) ? 1 : 0),
    start_script(engine, at) {
      const name = engine.text(at);
      if (!made.has(name)) made.set(name, load(name, sources.get(name)));
      running.set(++nStarted, { name });
      return nStarted;
    },
    stop_script(engine, number) {
      running.delete(number);
    },
    ask_script(engine, number, at, leftMs) {
      const bot = running.get(number);
      const line = engine.text(at).trim().split('\n').at(-1);
      if (bot.name === hung) {
        hung = undefined;
        engine.exports.script_hangs();
        return;
      }
      tell({ asking: bot.name, leftMs });
      const make = made.get(bot.name);
      try {
        if (typeof make === 'string') throw make;
        bot.answer ??= make();
        if (!bot.answer) throw 'it defines no function answer(question)';
        const answer = JSON.stringify(bot.answer(JSON.parse(line)));
        engine.call('script_answers', answer ?? 'undefined');
      } catch (error) {
        engine.call('script_fails', wordsOf(error, make));
      }
      tell({ answered: bot.name });
    },
  };
  return {
    hooks,
    learn(bots) {
      for (const { name, source } of bots) {
        if (sources.get(name) !== source) made.delete(name);
        sources.set(name, source);
      }
      for (const name of sources.keys())
        if (!bots.some((each) => each.name === name)) sources.delete(name);
    },
    expect: (name) => (hung = name),
  };
}
