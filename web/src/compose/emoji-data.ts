// The emojis of the picker: the most used ones, by subject, each with the name by which it is completed.

const ROWS: Record<string, string> = {
  faces:
    "grinning 😀 smiley 😃 smile 😄 grin 😁 laughing 😆 sweat_smile 😅 rofl 🤣 joy 😂 slight_smile 🙂 upside_down 🙃 melting 🫠 wink 😉 blush 😊 innocent 😇 smiling_hearts 🥰 heart_eyes 😍 star_struck 🤩 kissing_heart 😘 yum 😋 tongue 😛 zany 🤪 hug 🤗 hand_over_mouth 🤭 shush 🤫 thinking 🤔 salute 🫡 raised_eyebrow 🤨 neutral 😐 expressionless 😑 no_mouth 😶 dotted_face 🫥 smirk 😏 unamused 😒 roll_eyes 🙄 grimace 😬 relieved 😌 pensive 😔 sleepy 😪 drool 🤤 sleeping 😴 mask 😷 nauseated 🤢 hot 🥵 cold 🥶 woozy 🥴 dizzy_face 😵 exploding_head 🤯 cowboy 🤠 party 🥳 sunglasses 😎 nerd 🤓 monocle 🧐 confused 😕 worried 😟 open_mouth 😮 astonished 😲 flushed 😳 pleading 🥺 holding_tears 🥹 fearful 😨 cold_sweat 😰 cry 😢 sob 😭 scream 😱 disappointed 😞 weary 😩 yawn 🥱 triumph 😤 angry 😠 rage 😡 swearing 🤬 skull 💀 clown 🤡 ghost 👻 alien 👽 robot 🤖 see_no_evil 🙈",
  hands:
    "wave 👋 raised_hand ✋ ok_hand 👌 pinch 🤏 victory ✌️ crossed_fingers 🤞 love_you 🤟 point_left 👈 point_right 👉 point_up 👆 point_down 👇 thumbs_up 👍 thumbs_down 👎 fist ✊ punch 👊 clap 👏 raised_hands 🙌 heart_hands 🫶 open_hands 👐 handshake 🤝 pray 🙏 writing ✍️ muscle 💪 eyes 👀 brain 🧠 shrug 🤷 facepalm 🤦 dancer 💃 running 🏃 family 👪",
  hearts:
    "heart ❤️ orange_heart 🧡 yellow_heart 💛 green_heart 💚 blue_heart 💙 purple_heart 💜 brown_heart 🤎 black_heart 🖤 white_heart 🤍 broken_heart 💔 two_hearts 💕 sparkling_heart 💖 hundred 💯 boom 💥 sparkles ✨ star ⭐ glowing_star 🌟 dizzy 💫 fire 🔥 zzz 💤 speech 💬 check ✅ cross ❌ warning ⚠️ question ❓ exclamation ❗ plus ➕ recycle ♻️ infinity ♾️ peace ☮️ rainbow_flag 🏳️‍🌈 trans_flag 🏳️‍⚧️",
  nature:
    "dog 🐶 cat 🐱 mouse 🐭 rabbit 🐰 fox 🦊 bear 🐻 panda 🐼 lion 🦁 cow 🐮 pig 🐷 frog 🐸 monkey 🐵 chicken 🐔 penguin 🐧 bird 🐦 crow 🐦‍⬛ chick 🐤 duck 🦆 owl 🦉 bat 🦇 wolf 🐺 horse 🐴 unicorn 🦄 bee 🐝 butterfly 🦋 snail 🐌 spider 🕷️ turtle 🐢 snake 🐍 octopus 🐙 fish 🐟 dolphin 🐬 whale 🐳 elephant 🐘 mammoth 🦣 hedgehog 🦔 mushroom 🍄 cactus 🌵 tree 🌳 evergreen 🌲 seedling 🌱 herb 🌿 clover 🍀 leaf 🍂 rose 🌹 sunflower 🌻 tulip 🌷 sun ☀️ moon 🌙 cloud ☁️ rain 🌧️ lightning ⚡ snowflake ❄️ snowman ⛄ rainbow 🌈 ocean 🌊 earth 🌍",
  food: "apple 🍎 pear 🍐 orange 🍊 lemon 🍋 banana 🍌 melon 🍉 grapes 🍇 strawberry 🍓 cherries 🍒 peach 🍑 tomato 🍅 avocado 🥑 carrot 🥕 corn 🌽 potato 🥔 bread 🍞 croissant 🥐 pretzel 🥨 cheese 🧀 egg 🥚 pancakes 🥞 burger 🍔 fries 🍟 pizza 🍕 taco 🌮 salad 🥗 spaghetti 🍝 ramen 🍜 sushi 🍣 cookie 🍪 cake 🎂 chocolate 🍫 ice_cream 🍦 popcorn 🍿 coffee ☕ tea 🍵 beer 🍺 wine 🍷 cheers 🥂",
  things:
    "soccer ⚽ basketball 🏀 bike 🚲 car 🚗 train 🚆 plane ✈️ rocket 🚀 ship 🚢 house 🏠 tent ⛺ mountain ⛰️ map 🗺️ watch ⌚ phone 📱 computer 💻 keyboard ⌨️ camera 📷 tv 📺 bulb 💡 book 📖 books 📚 newspaper 📰 pencil ✏️ memo 📝 mail 📧 package 📦 calendar 📅 pin 📌 paperclip 📎 scissors ✂️ lock 🔒 key 🔑 hammer 🔨 wrench 🔧 gear ⚙️ magnet 🧲 test_tube 🧪 telescope 🔭 microscope 🔬 pill 💊 shopping 🛒 gift 🎁 balloon 🎈 tada 🎉 trophy 🏆 medal 🏅 game 🎮 dice 🎲 puzzle 🧩 art 🎨 music 🎵 guitar 🎸 headphones 🎧 microphone 🎤 movie 🎬 ticket 🎫 money 💰 hourglass ⏳ alarm ⏰ megaphone 📣 bell 🔔",
};

export type PlainEmoji = { name: string; char: string };

export const EMOJI_GROUPS: readonly { name: string; emojis: readonly PlainEmoji[] }[] =
  Object.entries(ROWS).map(([name, row]) => {
    const words = row.split(" ");
    const emojis = words.flatMap((word, index) =>
      index % 2 === 0 ? [{ name: word, char: words[index + 1]! }] : [],
    );
    return { name, emojis };
  });
