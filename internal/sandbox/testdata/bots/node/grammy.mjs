// The shop with grammY: JSON, and multipart for files.
import { Bot, GrammyError, InlineKeyboard, InputFile, Keyboard } from "grammy";

const server = process.env.TELEGRAM_API_URL;
const token = process.env.TELEGRAM_BOT_TOKEN;
const bot = new Bot(token, { client: { apiRoot: server } });

bot.command("keyboard", (ctx) => ctx.reply("Your number?", { reply_markup: new Keyboard().requestContact("Share").oneTime().resized() }));

bot.command("fail", async (ctx) => {
  try {
    await ctx.api.sendMessage(999, "nobody");
  } catch (err) {
    if (!(err instanceof GrammyError)) throw err;
    await ctx.reply(err.description);
  }
});

bot.on("message:contact", (ctx) => ctx.reply("Thanks, " + ctx.message.contact.phone_number, { reply_markup: { remove_keyboard: true } }));

bot.on("message:photo", async (ctx) => {
  const file = await ctx.getFile();
  const body = await fetch(`${server}/file/bot${token}/${file.file_path}`).then((r) => r.arrayBuffer());
  await ctx.reply(`${body.byteLength} bytes`);
});

bot.on("message:text", (ctx) => {
  const text = ctx.message.text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
  return ctx.reply(`You said <b>${text}</b>`, { parse_mode: "HTML", reply_markup: new InlineKeyboard().text("Buy", "buy:1").url("Open", "https://shop.example/") });
});

bot.callbackQuery("buy:1", async (ctx) => {
  await ctx.answerCallbackQuery("coming");
  await ctx.editMessageText("Bought");
  await ctx.replyWithDocument(new InputFile(Buffer.from("A\nB"), "codes.txt"), { caption: "yours" });
});

bot.catch((err) => console.error(err.error));
await bot.start();
