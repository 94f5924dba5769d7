// 0042c30db0c2
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 7>;
// 0073273dc447
const n0 = 64u;
// 00a2c8fc49e3
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].w);
let n14 = n15[n10];
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = n34[n24];
let n35 = n33.x;
let n36 = n33.y;
let n37 = n33.z;
let n38 = n33.w;
n20 = (n20 + select(f32(0), n35, n22));
n20 = (n20 + select(f32(0), n36, n22));
n20 = (n20 + select(f32(0), n37, n22));
n20 = (n20 + select(f32(0), n38, n22));
let n39 = n7 + 32u;
let n40 = n39 < n11;
let n41 = min(n39, n11 - 1u);
let n42 = n12 + n41;
let n43 = 4u * n42 + 0u;
let n44 = 4u * n41 + 0u;
let n45 = 4u * n42 + 1u;
let n46 = 4u * n41 + 1u;
let n47 = 4u * n42 + 2u;
let n48 = 4u * n41 + 2u;
let n49 = 4u * n42 + 3u;
let n50 = 4u * n41 + 3u;
let n51 = n34[n42];
let n52 = n51.x;
let n53 = n51.y;
let n54 = n51.z;
let n55 = n51.w;
n20 = (n20 + select(f32(0), n52, n40));
n20 = (n20 + select(f32(0), n53, n40));
n20 = (n20 + select(f32(0), n54, n40));
n20 = (n20 + select(f32(0), n55, n40));
let n56 = n7 + 64u;
let n57 = n56 < n11;
let n58 = min(n56, n11 - 1u);
let n59 = n12 + n58;
let n60 = 4u * n59 + 0u;
let n61 = 4u * n58 + 0u;
let n62 = 4u * n59 + 1u;
let n63 = 4u * n58 + 1u;
let n64 = 4u * n59 + 2u;
let n65 = 4u * n58 + 2u;
let n66 = 4u * n59 + 3u;
let n67 = 4u * n58 + 3u;
let n68 = n34[n59];
let n69 = n68.x;
let n70 = n68.y;
let n71 = n68.z;
let n72 = n68.w;
n20 = (n20 + select(f32(0), n69, n57));
n20 = (n20 + select(f32(0), n70, n57));
n20 = (n20 + select(f32(0), n71, n57));
n20 = (n20 + select(f32(0), n72, n57));
let n73 = n7 + 96u;
let n74 = n73 < n11;
let n75 = min(n73, n11 - 1u);
let n76 = n12 + n75;
let n77 = 4u * n76 + 0u;
let n78 = 4u * n75 + 0u;
let n79 = 4u * n76 + 1u;
let n80 = 4u * n75 + 1u;
let n81 = 4u * n76 + 2u;
let n82 = 4u * n75 + 2u;
let n83 = 4u * n76 + 3u;
let n84 = 4u * n75 + 3u;
let n85 = n34[n76];
let n86 = n85.x;
let n87 = n85.y;
let n88 = n85.z;
let n89 = n85.w;
n20 = (n20 + select(f32(0), n86, n74));
n20 = (n20 + select(f32(0), n87, n74));
n20 = (n20 + select(f32(0), n88, n74));
n20 = (n20 + select(f32(0), n89, n74));
let n90 = n7 + 128u;
let n91 = n90 < n11;
let n92 = min(n90, n11 - 1u);
let n93 = n12 + n92;
let n94 = 4u * n93 + 0u;
let n95 = 4u * n92 + 0u;
let n96 = 4u * n93 + 1u;
let n97 = 4u * n92 + 1u;
let n98 = 4u * n93 + 2u;
let n99 = 4u * n92 + 2u;
let n100 = 4u * n93 + 3u;
let n101 = 4u * n92 + 3u;
let n102 = n34[n93];
let n103 = n102.x;
let n104 = n102.y;
let n105 = n102.z;
let n106 = n102.w;
n20 = (n20 + select(f32(0), n103, n91));
n20 = (n20 + select(f32(0), n104, n91));
n20 = (n20 + select(f32(0), n105, n91));
n20 = (n20 + select(f32(0), n106, n91));
let n107 = n7 + 160u;
let n108 = n107 < n11;
let n109 = min(n107, n11 - 1u);
let n110 = n12 + n109;
let n111 = 4u * n110 + 0u;
let n112 = 4u * n109 + 0u;
let n113 = 4u * n110 + 1u;
let n114 = 4u * n109 + 1u;
let n115 = 4u * n110 + 2u;
let n116 = 4u * n109 + 2u;
let n117 = 4u * n110 + 3u;
let n118 = 4u * n109 + 3u;
let n119 = n34[n110];
let n120 = n119.x;
let n121 = n119.y;
let n122 = n119.z;
let n123 = n119.w;
n20 = (n20 + select(f32(0), n120, n108));
n20 = (n20 + select(f32(0), n121, n108));
n20 = (n20 + select(f32(0), n122, n108));
n20 = (n20 + select(f32(0), n123, n108));
let n124 = n7 + 192u;
let n125 = n124 < n11;
let n126 = min(n124, n11 - 1u);
let n127 = n12 + n126;
let n128 = 4u * n127 + 0u;
let n129 = 4u * n126 + 0u;
let n130 = 4u * n127 + 1u;
let n131 = 4u * n126 + 1u;
let n132 = 4u * n127 + 2u;
let n133 = 4u * n126 + 2u;
let n134 = 4u * n127 + 3u;
let n135 = 4u * n126 + 3u;
let n136 = n34[n127];
let n137 = n136.x;
let n138 = n136.y;
let n139 = n136.z;
let n140 = n136.w;
n20 = (n20 + select(f32(0), n137, n125));
n20 = (n20 + select(f32(0), n138, n125));
n20 = (n20 + select(f32(0), n139, n125));
n20 = (n20 + select(f32(0), n140, n125));
let n141 = n7 + 224u;
let n142 = n141 < n11;
let n143 = min(n141, n11 - 1u);
let n144 = n12 + n143;
let n145 = 4u * n144 + 0u;
let n146 = 4u * n143 + 0u;
let n147 = 4u * n144 + 1u;
let n148 = 4u * n143 + 1u;
let n149 = 4u * n144 + 2u;
let n150 = 4u * n143 + 2u;
let n151 = 4u * n144 + 3u;
let n152 = 4u * n143 + 3u;
let n153 = n34[n144];
let n154 = n153.x;
let n155 = n153.y;
let n156 = n153.z;
let n157 = n153.w;
n20 = (n20 + select(f32(0), n154, n142));
n20 = (n20 + select(f32(0), n155, n142));
n20 = (n20 + select(f32(0), n156, n142));
n20 = (n20 + select(f32(0), n157, n142));
n158[n3] = n20;
workgroupBarrier();
for (var n159 = 16u; n159 > 0u; n159 >>= 1u) {
if (n7 < n159) { n158[n3] = (n158[n3] + n158[n3 + n159]); }
workgroupBarrier();
}
let n160 = n158[n3 - n7];
workgroupBarrier();
let n161 = (n160 * n13);
let n162 = (n161 * n14);
let n163 = (n162 * n16);
let n164 = n165(n163, n18);
let n166 = (n164 * n19);
let n167 = n168[n24];
let n169 = n167.x;
let n170 = n167.y;
let n171 = n167.z;
let n172 = n167.w;
let n173 = n174[n24];
let n175 = n173.x;
let n176 = n173.y;
let n177 = n173.z;
let n178 = n173.w;
let n179 = (n166 * n175);
let n180 = (n169 + n179);
let n181 = (n166 * n176);
let n182 = (n170 + n181);
let n183 = (n166 * n177);
let n184 = (n171 + n183);
let n185 = (n166 * n178);
let n186 = (n172 + n185);
if (n9 && n22) {
n187[n24] = vec4<f32>(n180, n182, n184, n186);
}
let n188 = n168[n42];
let n189 = n188.x;
let n190 = n188.y;
let n191 = n188.z;
let n192 = n188.w;
let n193 = n174[n42];
let n194 = n193.x;
let n195 = n193.y;
let n196 = n193.z;
let n197 = n193.w;
let n198 = (n166 * n194);
let n199 = (n189 + n198);
let n200 = (n166 * n195);
let n201 = (n190 + n200);
let n202 = (n166 * n196);
let n203 = (n191 + n202);
let n204 = (n166 * n197);
let n205 = (n192 + n204);
if (n9 && n40) {
n187[n42] = vec4<f32>(n199, n201, n203, n205);
}
let n206 = n168[n59];
let n207 = n206.x;
let n208 = n206.y;
let n209 = n206.z;
let n210 = n206.w;
let n211 = n174[n59];
let n212 = n211.x;
let n213 = n211.y;
let n214 = n211.z;
let n215 = n211.w;
let n216 = (n166 * n212);
let n217 = (n207 + n216);
let n218 = (n166 * n213);
let n219 = (n208 + n218);
let n220 = (n166 * n214);
let n221 = (n209 + n220);
let n222 = (n166 * n215);
let n223 = (n210 + n222);
if (n9 && n57) {
n187[n59] = vec4<f32>(n217, n219, n221, n223);
}
let n224 = n168[n76];
let n225 = n224.x;
let n226 = n224.y;
let n227 = n224.z;
let n228 = n224.w;
let n229 = n174[n76];
let n230 = n229.x;
let n231 = n229.y;
let n232 = n229.z;
let n233 = n229.w;
let n234 = (n166 * n230);
let n235 = (n225 + n234);
let n236 = (n166 * n231);
let n237 = (n226 + n236);
let n238 = (n166 * n232);
let n239 = (n227 + n238);
let n240 = (n166 * n233);
let n241 = (n228 + n240);
if (n9 && n74) {
n187[n76] = vec4<f32>(n235, n237, n239, n241);
}
let n242 = n168[n93];
let n243 = n242.x;
let n244 = n242.y;
let n245 = n242.z;
let n246 = n242.w;
let n247 = n174[n93];
let n248 = n247.x;
let n249 = n247.y;
let n250 = n247.z;
let n251 = n247.w;
let n252 = (n166 * n248);
let n253 = (n243 + n252);
let n254 = (n166 * n249);
let n255 = (n244 + n254);
let n256 = (n166 * n250);
let n257 = (n245 + n256);
let n258 = (n166 * n251);
let n259 = (n246 + n258);
if (n9 && n91) {
n187[n93] = vec4<f32>(n253, n255, n257, n259);
}
let n260 = n168[n110];
let n261 = n260.x;
let n262 = n260.y;
let n263 = n260.z;
let n264 = n260.w;
let n265 = n174[n110];
let n266 = n265.x;
let n267 = n265.y;
let n268 = n265.z;
let n269 = n265.w;
let n270 = (n166 * n266);
let n271 = (n261 + n270);
let n272 = (n166 * n267);
let n273 = (n262 + n272);
let n274 = (n166 * n268);
let n275 = (n263 + n274);
let n276 = (n166 * n269);
let n277 = (n264 + n276);
if (n9 && n108) {
n187[n110] = vec4<f32>(n271, n273, n275, n277);
}
let n278 = n168[n127];
let n279 = n278.x;
let n280 = n278.y;
let n281 = n278.z;
let n282 = n278.w;
let n283 = n174[n127];
let n284 = n283.x;
let n285 = n283.y;
let n286 = n283.z;
let n287 = n283.w;
let n288 = (n166 * n284);
let n289 = (n279 + n288);
let n290 = (n166 * n285);
let n291 = (n280 + n290);
let n292 = (n166 * n286);
let n293 = (n281 + n292);
let n294 = (n166 * n287);
let n295 = (n282 + n294);
if (n9 && n125) {
n187[n127] = vec4<f32>(n289, n291, n293, n295);
}
let n296 = n168[n144];
let n297 = n296.x;
let n298 = n296.y;
let n299 = n296.z;
let n300 = n296.w;
let n301 = n174[n144];
let n302 = n301.x;
let n303 = n301.y;
let n304 = n301.z;
let n305 = n301.w;
let n306 = (n166 * n302);
let n307 = (n297 + n306);
let n308 = (n166 * n303);
let n309 = (n298 + n308);
let n310 = (n166 * n304);
let n311 = (n299 + n310);
let n312 = (n166 * n305);
let n313 = (n300 + n312);
if (n9 && n142) {
n187[n144] = vec4<f32>(n307, n309, n311, n313);
}
}
// 00d7547d7804
const n0: u32 = 2u;
// 00ded7f3eb44
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = bitcast<i32>(n3[4].y);
let n9 = n4 / n3[0].w;
let n10 = n9;
let n11 = bitcast<i32>(n10);
let n12 = bitcast<i32>(n3[4].z);
let n13 = (n11 * n12);
let n14 = (n8 + n13);
let n15 = f32(n14);
let n16 = (n4 % n3[3].z);
let n17 = n18[n16];
let n19 = (n15 * n17);
let n20 = n21(n19);
let n22 = n5 / n3[0].w;
let n23 = n22;
let n24 = bitcast<i32>(n23);
let n25 = (n24 * n12);
let n26 = (n8 + n25);
let n27 = f32(n26);
let n28 = (n5 % n3[3].z);
let n29 = n18[n28];
let n30 = (n27 * n29);
let n31 = n21(n30);
let n32 = n6 / n3[0].w;
let n33 = n32;
let n34 = bitcast<i32>(n33);
let n35 = (n34 * n12);
let n36 = (n8 + n35);
let n37 = f32(n36);
let n38 = (n6 % n3[3].z);
let n39 = n18[n38];
let n40 = (n37 * n39);
let n41 = n21(n40);
let n42 = n7 / n3[0].w;
let n43 = n42;
let n44 = bitcast<i32>(n43);
let n45 = (n44 * n12);
let n46 = (n8 + n45);
let n47 = f32(n46);
let n48 = (n7 % n3[3].z);
let n49 = n18[n48];
let n50 = (n47 * n49);
let n51 = n21(n50);
let n52 = n53(n19);
let n54 = n53(n30);
let n55 = n53(n40);
let n56 = n53(n50);
n57[n1] = vec4<f32>(n20, n31, n41, n51);
n58[n1] = vec4<f32>(n52, n54, n55, n56);
}
// 01231a9a257c
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].w;
let n9 = n8 / n3[1].y;
let n10 = n9 / n3[0].w;
let n11 = (n4 - n8 * n3[1].w) + (n8 - n9 * n3[1].y) * n3[1].z + (n9 - n10 * n3[0].w) * n3[1].x + n10 * n3[0].z;
let n12 = n13((n14[n11 >> 1u] >> ((n11 & 1u) << 4u)) & 0xffffu);
let n15 = n12;
let n16 = (n4 % n3[3].x);
let n17 = n18[n16];
let n19 = (n15 * n17);
let n20 = n4 / n3[4].w;
let n21 = n20 / n3[4].y;
let n22 = (n4 - n20 * n3[4].w) + (n20 - n21 * n3[4].y) * n3[4].z + n21 * n3[4].x + n3[5].y;
let n23 = n22 / n3[7].x;
let n24 = n23 / n3[6].z;
let n25 = n24 / n3[6].x;
let n26 = (n22 - n23 * n3[7].x) + (n23 - n24 * n3[6].z) * n3[6].w + (n24 - n25 * n3[6].x) * n3[6].y + n25 * n3[5].w;
let n27 = n13((n14[n26 >> 1u] >> ((n26 & 1u) << 4u)) & 0xffffu);
let n28 = n27;
let n29 = (n4 % n3[8].y);
let n30 = n31[n29];
let n32 = (n28 * n30);
let n33 = (n19 + n32);
let n34 = n33;
let n35 = n5 / n3[1].w;
let n36 = n35 / n3[1].y;
let n37 = n36 / n3[0].w;
let n38 = (n5 - n35 * n3[1].w) + (n35 - n36 * n3[1].y) * n3[1].z + (n36 - n37 * n3[0].w) * n3[1].x + n37 * n3[0].z;
let n39 = n13((n14[n38 >> 1u] >> ((n38 & 1u) << 4u)) & 0xffffu);
let n40 = n39;
let n41 = (n5 % n3[3].x);
let n42 = n18[n41];
let n43 = (n40 * n42);
let n44 = n5 / n3[4].w;
let n45 = n44 / n3[4].y;
let n46 = (n5 - n44 * n3[4].w) + (n44 - n45 * n3[4].y) * n3[4].z + n45 * n3[4].x + n3[5].y;
let n47 = n46 / n3[7].x;
let n48 = n47 / n3[6].z;
let n49 = n48 / n3[6].x;
let n50 = (n46 - n47 * n3[7].x) + (n47 - n48 * n3[6].z) * n3[6].w + (n48 - n49 * n3[6].x) * n3[6].y + n49 * n3[5].w;
let n51 = n13((n14[n50 >> 1u] >> ((n50 & 1u) << 4u)) & 0xffffu);
let n52 = n51;
let n53 = (n5 % n3[8].y);
let n54 = n31[n53];
let n55 = (n52 * n54);
let n56 = (n43 + n55);
let n57 = n56;
let n58 = n6 / n3[1].w;
let n59 = n58 / n3[1].y;
let n60 = n59 / n3[0].w;
let n61 = (n6 - n58 * n3[1].w) + (n58 - n59 * n3[1].y) * n3[1].z + (n59 - n60 * n3[0].w) * n3[1].x + n60 * n3[0].z;
let n62 = n13((n14[n61 >> 1u] >> ((n61 & 1u) << 4u)) & 0xffffu);
let n63 = n62;
let n64 = (n6 % n3[3].x);
let n65 = n18[n64];
let n66 = (n63 * n65);
let n67 = n6 / n3[4].w;
let n68 = n67 / n3[4].y;
let n69 = (n6 - n67 * n3[4].w) + (n67 - n68 * n3[4].y) * n3[4].z + n68 * n3[4].x + n3[5].y;
let n70 = n69 / n3[7].x;
let n71 = n70 / n3[6].z;
let n72 = n71 / n3[6].x;
let n73 = (n69 - n70 * n3[7].x) + (n70 - n71 * n3[6].z) * n3[6].w + (n71 - n72 * n3[6].x) * n3[6].y + n72 * n3[5].w;
let n74 = n13((n14[n73 >> 1u] >> ((n73 & 1u) << 4u)) & 0xffffu);
let n75 = n74;
let n76 = (n6 % n3[8].y);
let n77 = n31[n76];
let n78 = (n75 * n77);
let n79 = (n66 + n78);
let n80 = n79;
let n81 = n7 / n3[1].w;
let n82 = n81 / n3[1].y;
let n83 = n82 / n3[0].w;
let n84 = (n7 - n81 * n3[1].w) + (n81 - n82 * n3[1].y) * n3[1].z + (n82 - n83 * n3[0].w) * n3[1].x + n83 * n3[0].z;
let n85 = n13((n14[n84 >> 1u] >> ((n84 & 1u) << 4u)) & 0xffffu);
let n86 = n85;
let n87 = (n7 % n3[3].x);
let n88 = n18[n87];
let n89 = (n86 * n88);
let n90 = n7 / n3[4].w;
let n91 = n90 / n3[4].y;
let n92 = (n7 - n90 * n3[4].w) + (n90 - n91 * n3[4].y) * n3[4].z + n91 * n3[4].x + n3[5].y;
let n93 = n92 / n3[7].x;
let n94 = n93 / n3[6].z;
let n95 = n94 / n3[6].x;
let n96 = (n92 - n93 * n3[7].x) + (n93 - n94 * n3[6].z) * n3[6].w + (n94 - n95 * n3[6].x) * n3[6].y + n95 * n3[5].w;
let n97 = n13((n14[n96 >> 1u] >> ((n96 & 1u) << 4u)) & 0xffffu);
let n98 = n97;
let n99 = (n7 % n3[8].y);
let n100 = n31[n99];
let n101 = (n98 * n100);
let n102 = (n89 + n101);
let n103 = n102;
n104[2u * n1] = n105(n34) | (n105(n57) << 16u);
n104[2u * n1 + 1u] = n105(n80) | (n105(n103) << 16u);
}
// 0133ffcd248b
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
var group = n1.y * n2.x + n1.x;
let n4 = (n5[0].x + 1023u) / 1024u;
if (group < n4) {
let n6 = group * 256u + n3;
if (4u * n6 < n5[0].x) { n7(n6); }
return;
}
group -= n4;
let n8 = (n5[6].x + 1023u) / 1024u;
if (group < n8) {
let n9 = group * 256u + n3;
if (4u * n9 < n5[6].x) { n10(n9); }
return;
}
group -= n8;
let n11 = (n5[7].x + 1023u) / 1024u;
if (group < n11) {
let n12 = group * 256u + n3;
if (4u * n12 < n5[7].x) { n13(n12); }
return;
}
group -= n11;
}
// 01af2b204675
const n0: u32 = 128u;
// 0269e4a426bf
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[4].x);
let n15 = (n10 * n14);
let n16 = (n11 * n14);
let n17 = (n12 * n14);
let n18 = (n13 * n14);
let n19 = bitcast<i32>(n3[4].y);
let n20 = n4;
let n21 = bitcast<i32>(n20);
let n22 = bitcast<i32>(n3[4].z);
let n23 = (n21 * n22);
let n24 = (n19 + n23);
let n25 = 0u;
let n26 = n27[n25];
let n28 = bitcast<i32>(n3[4].w);
let n29 = n30(n26, n28);
let n31 = bitcast<i32>(n3[5].x);
let n32 = (n29 * n31);
let n33 = (n24 + n32);
let n34 = n5;
let n35 = bitcast<i32>(n34);
let n36 = (n35 * n22);
let n37 = (n19 + n36);
let n38 = 0u;
let n39 = n27[n38];
let n40 = n30(select(0, n39, 4u * n1 + 1u <= n2), n28);
let n41 = (n40 * n31);
let n42 = (n37 + n41);
let n43 = n6;
let n44 = bitcast<i32>(n43);
let n45 = (n44 * n22);
let n46 = (n19 + n45);
let n47 = 0u;
let n48 = n27[n47];
let n49 = n30(select(0, n48, 4u * n1 + 2u <= n2), n28);
let n50 = (n49 * n31);
let n51 = (n46 + n50);
let n52 = n7;
let n53 = bitcast<i32>(n52);
let n54 = (n53 * n22);
let n55 = (n19 + n54);
let n56 = 0u;
let n57 = n27[n56];
let n58 = n30(select(0, n57, 4u * n1 + 3u <= n2), n28);
let n59 = (n58 * n31);
let n60 = (n55 + n59);
n61[u32(n33)] = n15;
if (4u * n1 + 1u <= n2) { n61[u32(n42)] = n16;
}
if (4u * n1 + 2u <= n2) { n61[u32(n51)] = n17;
}
if (4u * n1 + 3u <= n2) { n61[u32(n60)] = n18;
}
}
// 02a689bbe035
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 03944070bff1
@group(0) @binding(1) var<storage, read> n0: array<vec2<f32>>;
// 03ddd614bd1a
@group(0) @binding(5) var<storage, read> n0: array<vec4<f32>>;
// 03f33a71c4c5
@group(0) @binding(0) var<storage, read> n0: array<f16>;
// 04580f438f7a
fn n0(n1: u32) -> vec2<f32> { return vec2<f32>(n2[n1], n3[n1]); }
// 049b4516a59e
fn n0(n1: u32, n2: u32, n3: u32, n4: u32, n5: u32) -> u32 {
var n6 = vec4<u32>(n1 >> 2u, 0u, n4, n5);
var n7 = vec2<u32>(n2, n3);
for (var n8 = 0u; n8 < 10u; n8++) {
n6 = n9(n6, n7);
n7 += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
}
return n6[n1 & 3u];
}
// 04c87e7950d6
@group(0) @binding(4) var<uniform> n0: n1;
// 052c5166736a
fn n0(n1: u32) -> f32 {
return bitcast<f32>(n1);
}
// 06af0b9d095c
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n18 * n3.x);
let n23 = (n19 * n3.y);
let n24 = (n20 * n3.z);
let n25 = (n21 * n3.w);
n26[n7] = vec4<f32>(n22, n23, n24, n25);
}
// 07012dddd792
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
n34[n3] = n15;
workgroupBarrier();
for (var n35 = 64u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
let n37 = n38(n36, n13);
var n39: f32 = f32(0);
let n40 = (n30 - n37);
let n41 = (n40 * n40);
n39 = (n39 + select(f32(0), n41, n17));
let n42 = (n31 - n37);
let n43 = (n42 * n42);
n39 = (n39 + select(f32(0), n43, n17));
let n44 = (n32 - n37);
let n45 = (n44 * n44);
n39 = (n39 + select(f32(0), n45, n17));
let n46 = (n33 - n37);
let n47 = (n46 * n46);
n39 = (n39 + select(f32(0), n47, n17));
n34[n3] = n39;
workgroupBarrier();
for (var n35 = 64u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n48 = n34[n3 - n7];
workgroupBarrier();
let n49 = n38(n48, n13);
let n50 = (n49 + n14);
let n51 = inverseSqrt(n50);
let n52 = (n40 * n51);
let n53 = n54[n21];
let n55 = (n52 * n53);
let n56 = n57[n21];
let n58 = (n55 + n56);
let n59 = (n42 * n51);
let n60 = n54[n23];
let n61 = (n59 * n60);
let n62 = n57[n23];
let n63 = (n61 + n62);
let n64 = (n44 * n51);
let n65 = n54[n25];
let n66 = (n64 * n65);
let n67 = n57[n25];
let n68 = (n66 + n67);
let n69 = (n46 * n51);
let n70 = n54[n27];
let n71 = (n69 * n70);
let n72 = n57[n27];
let n73 = (n71 + n72);
if (n9 && n17) {
n74[n19] = vec4<f32>(n58, n63, n68, n73);
}
}
// 0910d2b4cff5
fn n0(n1: f32, n2: f32) -> f32 {
return select(select(min(n1, n2), n2, n3(n2)), n1, n3(n1));
}
// 09289ba22b3c
@group(0) @binding(2) var<storage, read> n0: array<u32>;
// 093bf6e98ad4
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
switch n5 {
case 0u: {
n6(z, n1, n2, n3);
}
case 1u: {
n7(z, n1, n2, n3);
}
default: {
n8(z, n1, n2, n3);
}
}
}
// 0aa6e1ae58d6
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
let n9 = n10(n7);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(vec4<f32>(n11, n12, n13, n14));
}
// 0b4d1eddbe73
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 64u;
let n18 = n16 % 2u * 64u;
let n19 = ((((n2 / 8u) & 1u) << 2u) | (((n2 / 8u) & 6u) >> 1u) | ((n2 / 8u) & ~7u));
let n20 = n2 % 8u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (16u * n25[1].x) >> 2u;
let n27 = (n2 / 32u);
let n28 = n2 % 32u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (4u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = n35();
var n40 = n35();
var n41 = n35();
var n42 = n35();
var n43 = n35();
var n44 = n35();
var n45 = n35();
var n46 = n35();
var n47 = n35();
var n48 = n35();
var n49 = n35();
var n50 = n35();
var n51 = vec4<n52>();
var n53 = vec4<n52>();
var n54 = vec4<n52>();
var n55 = vec4<n52>();
var n56 = vec4<n52>();
var n57 = vec4<n52>();
var n58 = vec4<n52>();
var n59 = vec4<n52>();
var n60 = vec4<n52>();
var n61 = vec4<n52>();
var n62 = vec4<n52>();
var n63 = vec4<n52>();
var n64 = vec4<n52>();
var n65 = vec4<n52>();
var n66 = vec4<n52>();
var n67 = vec4<n52>();
{
let n68 = select(0u, 0u, 0u < n9);
let n69 = n23 + (n68 >> 2u);
n51 = n70[n69 + 0u * n26];
n53 = n70[n69 + 1u * n26];
n54 = n70[n69 + 2u * n26];
n55 = n70[n69 + 3u * n26];
n56 = n70[n69 + 4u * n26];
n57 = n70[n69 + 5u * n26];
n58 = n70[n69 + 6u * n26];
n59 = n70[n69 + 7u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
}
for (var n73 = 0u; n73 < n9; n73 += 1u * n74) {
{
n75[n21 + (0u * 16u) * n22] = n51;
n75[n21 + (1u * 16u) * n22] = n53;
n75[n21 + (2u * 16u) * n22] = n54;
n75[n21 + (3u * 16u) * n22] = n55;
n75[n21 + (4u * 16u) * n22] = n56;
n75[n21 + (5u * 16u) * n22] = n57;
n75[n21 + (6u * 16u) * n22] = n58;
n75[n21 + (7u * 16u) * n22] = n59;
n76[n29 + (0u * 4u) * n30] = n60;
n76[n29 + (1u * 4u) * n30] = n61;
n76[n29 + (2u * 4u) * n30] = n62;
n76[n29 + (3u * 4u) * n30] = n63;
n76[n29 + (4u * 4u) * n30] = n64;
n76[n29 + (5u * 4u) * n30] = n65;
n76[n29 + (6u * 4u) * n30] = n66;
n76[n29 + (7u * 4u) * n30] = n67;
workgroupBarrier();
let n77 = n73 + 1u * n74;
let n68 = select(0u, n77, n77 < n9);
let n69 = n23 + (n68 >> 2u);
n51 = n70[n69 + 0u * n26];
n53 = n70[n69 + 1u * n26];
n54 = n70[n69 + 2u * n26];
n55 = n70[n69 + 3u * n26];
n56 = n70[n69 + 4u * n26];
n57 = n70[n69 + 5u * n26];
n58 = n70[n69 + 6u * n26];
n59 = n70[n69 + 7u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n79(n17 + 32u, 0u);
let n82 = n79(n17 + 48u, 0u);
let n83 = n84(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n78, n83, n34);
n39 = coopMultiplyAdd(n80, n83, n39);
n43 = coopMultiplyAdd(n81, n83, n43);
n47 = coopMultiplyAdd(n82, n83, n47);
let n85 = n84(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n78, n85, n36);
n40 = coopMultiplyAdd(n80, n85, n40);
n44 = coopMultiplyAdd(n81, n85, n44);
n48 = coopMultiplyAdd(n82, n85, n48);
let n86 = n84(n18 + 32u, 0u);
n37 = coopMultiplyAdd(n78, n86, n37);
n41 = coopMultiplyAdd(n80, n86, n41);
n45 = coopMultiplyAdd(n81, n86, n45);
n49 = coopMultiplyAdd(n82, n86, n49);
let n87 = n84(n18 + 48u, 0u);
n38 = coopMultiplyAdd(n78, n87, n38);
n42 = coopMultiplyAdd(n80, n87, n42);
n46 = coopMultiplyAdd(n81, n87, n46);
n50 = coopMultiplyAdd(n82, n87, n50);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n79(n17 + 32u, 16u);
let n82 = n79(n17 + 48u, 16u);
let n83 = n84(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n78, n83, n34);
n39 = coopMultiplyAdd(n80, n83, n39);
n43 = coopMultiplyAdd(n81, n83, n43);
n47 = coopMultiplyAdd(n82, n83, n47);
let n85 = n84(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n78, n85, n36);
n40 = coopMultiplyAdd(n80, n85, n40);
n44 = coopMultiplyAdd(n81, n85, n44);
n48 = coopMultiplyAdd(n82, n85, n48);
let n86 = n84(n18 + 32u, 16u);
n37 = coopMultiplyAdd(n78, n86, n37);
n41 = coopMultiplyAdd(n80, n86, n41);
n45 = coopMultiplyAdd(n81, n86, n45);
n49 = coopMultiplyAdd(n82, n86, n49);
let n87 = n84(n18 + 48u, 16u);
n38 = coopMultiplyAdd(n78, n87, n38);
n42 = coopMultiplyAdd(n80, n87, n42);
n46 = coopMultiplyAdd(n81, n87, n46);
n50 = coopMultiplyAdd(n82, n87, n50);
}
workgroupBarrier();
}
}
let n88 = n11 * n89 * n90;
let n91 = n88 + 0u;
coopStoreT(n34, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n36, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n37, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n38, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
coopStoreT(n39, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n40, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n41, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n42, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
coopStoreT(n43, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n44, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n45, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n46, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
coopStoreT(n47, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n48, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n49, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n50, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
}
// 0b560409ddd2
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
let n7 = u32((f32(n4) + 0.5) * bitcast<f32>(n8[5].x));
let n9 = n4 - n7 * n8[4].w;
let n10 = u32((f32(n7) + 0.5) * bitcast<f32>(n8[3].w));
let n11 = n7 - n10 * n8[3].z;
let n12 = n1.n13 + n9 + n11 * n8[4].x + n10 * n8[2].w;
let n14 = n8[8].w + n11;
let n15 = n8[9].y + n9;
let n16 = n3 + 0u;
let n17 = u32((f32(n16) + 0.5) * bitcast<f32>(n8[7].z));
let n18 = n16 - n17 * n8[7].y;
let n19 = n12 + n18 + n17 * n8[6].z;
let n20 = n14 + n17;
let n21 = n15 + n18;
if (n16 < n8[0].z && n4 < n8[0].w && n20 < n8[9].x && n21 < n8[9].z) { n6.x = n22[n19]; }
let n23 = n3 + 1u;
let n24 = u32((f32(n23) + 0.5) * bitcast<f32>(n8[7].z));
let n25 = n23 - n24 * n8[7].y;
let n26 = n12 + n25 + n24 * n8[6].z;
let n27 = n14 + n24;
let n28 = n15 + n25;
if (n23 < n8[0].z && n4 < n8[0].w && n27 < n8[9].x && n28 < n8[9].z) { n6.y = n22[n26]; }
let n29 = n3 + 2u;
let n30 = u32((f32(n29) + 0.5) * bitcast<f32>(n8[7].z));
let n31 = n29 - n30 * n8[7].y;
let n32 = n12 + n31 + n30 * n8[6].z;
let n33 = n14 + n30;
let n34 = n15 + n31;
if (n29 < n8[0].z && n4 < n8[0].w && n33 < n8[9].x && n34 < n8[9].z) { n6.z = n22[n32]; }
let n35 = n3 + 3u;
let n36 = u32((f32(n35) + 0.5) * bitcast<f32>(n8[7].z));
let n37 = n35 - n36 * n8[7].y;
let n38 = n12 + n37 + n36 * n8[6].z;
let n39 = n14 + n36;
let n40 = n15 + n37;
if (n35 < n8[0].z && n4 < n8[0].w && n39 < n8[9].x && n40 < n8[9].z) { n6.w = n22[n38]; }
return n6;
}
// 0b6783a967d6
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n4 - n3[0].z;
let n15 = n14 < n3[0].w;
let n16 = select(0u, n14, n15);
let n17 = n18[n16];
let n19 = bitcast<f32>(n3[3].y);
let n20 = select(n19, n17, n15);
let n21 = (n10 + n20);
let n22 = n4 - n3[2].x;
let n23 = n22 < n3[2].y;
let n24 = select(0u, n22, n23);
let n25 = n26[n24];
let n27 = select(n19, n25, n23);
let n28 = (n21 + n27);
let n29 = n4 - n3[2].w;
let n30 = n29 < n3[3].x;
let n31 = select(0u, n29, n30);
let n32 = n33[n31];
let n34 = select(n19, n32, n30);
let n35 = (n28 + n34);
let n36 = n5 - n3[0].z;
let n37 = n36 < n3[0].w;
let n38 = select(0u, n36, n37);
let n39 = n18[n38];
let n40 = select(n19, n39, n37);
let n41 = (n11 + n40);
let n42 = n5 - n3[2].x;
let n43 = n42 < n3[2].y;
let n44 = select(0u, n42, n43);
let n45 = n26[n44];
let n46 = select(n19, n45, n43);
let n47 = (n41 + n46);
let n48 = n5 - n3[2].w;
let n49 = n48 < n3[3].x;
let n50 = select(0u, n48, n49);
let n51 = n33[n50];
let n52 = select(n19, n51, n49);
let n53 = (n47 + n52);
let n54 = n6 - n3[0].z;
let n55 = n54 < n3[0].w;
let n56 = select(0u, n54, n55);
let n57 = n18[n56];
let n58 = select(n19, n57, n55);
let n59 = (n12 + n58);
let n60 = n6 - n3[2].x;
let n61 = n60 < n3[2].y;
let n62 = select(0u, n60, n61);
let n63 = n26[n62];
let n64 = select(n19, n63, n61);
let n65 = (n59 + n64);
let n66 = n6 - n3[2].w;
let n67 = n66 < n3[3].x;
let n68 = select(0u, n66, n67);
let n69 = n33[n68];
let n70 = select(n19, n69, n67);
let n71 = (n65 + n70);
let n72 = n7 - n3[0].z;
let n73 = n72 < n3[0].w;
let n74 = select(0u, n72, n73);
let n75 = n18[n74];
let n76 = select(n19, n75, n73);
let n77 = (n13 + n76);
let n78 = n7 - n3[2].x;
let n79 = n78 < n3[2].y;
let n80 = select(0u, n78, n79);
let n81 = n26[n80];
let n82 = select(n19, n81, n79);
let n83 = (n77 + n82);
let n84 = n7 - n3[2].w;
let n85 = n84 < n3[3].x;
let n86 = select(0u, n84, n85);
let n87 = n33[n86];
let n88 = select(n19, n87, n85);
let n89 = (n83 + n88);
n90[n1] = vec4<f32>(n35, n53, n71, n89);
}
// 0b9095485454
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 / n5[1].x;
let n17 = (n10 - n16 * n5[1].x) + n16 * n5[0].w + n14 * n5[1].w;
let n18 = f32(n19[n17]);
let n20 = n18;
let n21 = f32(n22[n17]);
let n23 = n21;
let n24 = n17 / n5[2].w;
let n25 = n24;
let n26 = n27[n25];
let n28 = (n23 * n26);
let n29 = (n20 * n28);
n13 = (n13 + n29);
}
let n30 = n13;
if (n7 == 0u && n9) {
n31[n10] = n30;
}
}
// 0c490ae4422e
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = bitcast<f32>(n3[7].y);
let n9 = (n4 % n3[0].w);
let n10 = n11(n9);
let n12 = bitcast<f32>(n3[7].z);
let n13 = (n10 * n12);
let n14 = (n8 + n13);
let n15 = bitcast<f32>(n3[7].w);
let n16 = (n14 * n15);
let n17 = n18(n16);
let n19 = n20(n17, n12);
let n21 = bitcast<f32>(n3[8].x);
let n22 = n4 / n3[5].x;
let n23 = n22;
let n24 = n11(n23);
let n25 = bitcast<f32>(n3[8].y);
let n26 = (n24 * n25);
let n27 = (n21 + n26);
let n28 = (n19 * n27);
let n29 = (n5 % n3[0].w);
let n30 = n11(n29);
let n31 = (n30 * n12);
let n32 = (n8 + n31);
let n33 = (n32 * n15);
let n34 = n18(n33);
let n35 = n20(n34, n12);
let n36 = n5 / n3[5].x;
let n37 = n36;
let n38 = n11(n37);
let n39 = (n38 * n25);
let n40 = (n21 + n39);
let n41 = (n35 * n40);
let n42 = (n6 % n3[0].w);
let n43 = n11(n42);
let n44 = (n43 * n12);
let n45 = (n8 + n44);
let n46 = (n45 * n15);
let n47 = n18(n46);
let n48 = n20(n47, n12);
let n49 = n6 / n3[5].x;
let n50 = n49;
let n51 = n11(n50);
let n52 = (n51 * n25);
let n53 = (n21 + n52);
let n54 = (n48 * n53);
let n55 = (n7 % n3[0].w);
let n56 = n11(n55);
let n57 = (n56 * n12);
let n58 = (n8 + n57);
let n59 = (n58 * n15);
let n60 = n18(n59);
let n61 = n20(n60, n12);
let n62 = n7 / n3[5].x;
let n63 = n62;
let n64 = n11(n63);
let n65 = (n64 * n25);
let n66 = (n21 + n65);
let n67 = (n61 * n66);
n68[n1] = vec4<f32>(n28, n41, n54, n67);
}
// 0c59518054c7
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
var group = n1.y * n2.x + n1.x;
let n4 = (n5[0].x + 1023u) / 1024u;
if (group < n4) {
let n6 = group * 256u + n3;
if (4u * n6 < n5[0].x) { n7(n6); }
return;
}
group -= n4;
let n8 = (n5[5].y + 1023u) / 1024u;
if (group < n8) {
let n9 = group * 256u + n3;
if (4u * n9 < n5[5].y) { n10(n9); }
return;
}
group -= n8;
let n11 = (n5[6].y + 1023u) / 1024u;
if (group < n11) {
let n12 = group * 256u + n3;
if (4u * n12 < n5[6].y) { n13(n12); }
return;
}
group -= n11;
}
// 0c8e50d14c22
var<workgroup> n0: array<vec4<f32>, n1 * (n2 + n3)>;
// 0cd88ec5b66f
fn n0(n1: u32, n2: u32, n3: u32) -> u32 { return n1 + n3 * n4.n5.z; }
// 0cdf26e23b3a
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = n7 + 32u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n29[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n15 = (n15 + select(f32(0), n47, n35));
n15 = (n15 + select(f32(0), n48, n35));
n15 = (n15 + select(f32(0), n49, n35));
n15 = (n15 + select(f32(0), n50, n35));
let n51 = n7 + 64u;
let n52 = n51 < n11;
let n53 = min(n51, n11 - 1u);
let n54 = n12 + n53;
let n55 = 4u * n54 + 0u;
let n56 = 4u * n53 + 0u;
let n57 = 4u * n54 + 1u;
let n58 = 4u * n53 + 1u;
let n59 = 4u * n54 + 2u;
let n60 = 4u * n53 + 2u;
let n61 = 4u * n54 + 3u;
let n62 = 4u * n53 + 3u;
let n63 = n29[n54];
let n64 = n63.x;
let n65 = n63.y;
let n66 = n63.z;
let n67 = n63.w;
n15 = (n15 + select(f32(0), n64, n52));
n15 = (n15 + select(f32(0), n65, n52));
n15 = (n15 + select(f32(0), n66, n52));
n15 = (n15 + select(f32(0), n67, n52));
let n68 = n7 + 96u;
let n69 = n68 < n11;
let n70 = min(n68, n11 - 1u);
let n71 = n12 + n70;
let n72 = 4u * n71 + 0u;
let n73 = 4u * n70 + 0u;
let n74 = 4u * n71 + 1u;
let n75 = 4u * n70 + 1u;
let n76 = 4u * n71 + 2u;
let n77 = 4u * n70 + 2u;
let n78 = 4u * n71 + 3u;
let n79 = 4u * n70 + 3u;
let n80 = n29[n71];
let n81 = n80.x;
let n82 = n80.y;
let n83 = n80.z;
let n84 = n80.w;
n15 = (n15 + select(f32(0), n81, n69));
n15 = (n15 + select(f32(0), n82, n69));
n15 = (n15 + select(f32(0), n83, n69));
n15 = (n15 + select(f32(0), n84, n69));
let n85 = n7 + 128u;
let n86 = n85 < n11;
let n87 = min(n85, n11 - 1u);
let n88 = n12 + n87;
let n89 = 4u * n88 + 0u;
let n90 = 4u * n87 + 0u;
let n91 = 4u * n88 + 1u;
let n92 = 4u * n87 + 1u;
let n93 = 4u * n88 + 2u;
let n94 = 4u * n87 + 2u;
let n95 = 4u * n88 + 3u;
let n96 = 4u * n87 + 3u;
let n97 = n29[n88];
let n98 = n97.x;
let n99 = n97.y;
let n100 = n97.z;
let n101 = n97.w;
n15 = (n15 + select(f32(0), n98, n86));
n15 = (n15 + select(f32(0), n99, n86));
n15 = (n15 + select(f32(0), n100, n86));
n15 = (n15 + select(f32(0), n101, n86));
let n102 = n7 + 160u;
let n103 = n102 < n11;
let n104 = min(n102, n11 - 1u);
let n105 = n12 + n104;
let n106 = 4u * n105 + 0u;
let n107 = 4u * n104 + 0u;
let n108 = 4u * n105 + 1u;
let n109 = 4u * n104 + 1u;
let n110 = 4u * n105 + 2u;
let n111 = 4u * n104 + 2u;
let n112 = 4u * n105 + 3u;
let n113 = 4u * n104 + 3u;
let n114 = n29[n105];
let n115 = n114.x;
let n116 = n114.y;
let n117 = n114.z;
let n118 = n114.w;
n15 = (n15 + select(f32(0), n115, n103));
n15 = (n15 + select(f32(0), n116, n103));
n15 = (n15 + select(f32(0), n117, n103));
n15 = (n15 + select(f32(0), n118, n103));
let n119 = n7 + 192u;
let n120 = n119 < n11;
let n121 = min(n119, n11 - 1u);
let n122 = n12 + n121;
let n123 = 4u * n122 + 0u;
let n124 = 4u * n121 + 0u;
let n125 = 4u * n122 + 1u;
let n126 = 4u * n121 + 1u;
let n127 = 4u * n122 + 2u;
let n128 = 4u * n121 + 2u;
let n129 = 4u * n122 + 3u;
let n130 = 4u * n121 + 3u;
let n131 = n29[n122];
let n132 = n131.x;
let n133 = n131.y;
let n134 = n131.z;
let n135 = n131.w;
n15 = (n15 + select(f32(0), n132, n120));
n15 = (n15 + select(f32(0), n133, n120));
n15 = (n15 + select(f32(0), n134, n120));
n15 = (n15 + select(f32(0), n135, n120));
let n136 = n7 + 224u;
let n137 = n136 < n11;
let n138 = min(n136, n11 - 1u);
let n139 = n12 + n138;
let n140 = 4u * n139 + 0u;
let n141 = 4u * n138 + 0u;
let n142 = 4u * n139 + 1u;
let n143 = 4u * n138 + 1u;
let n144 = 4u * n139 + 2u;
let n145 = 4u * n138 + 2u;
let n146 = 4u * n139 + 3u;
let n147 = 4u * n138 + 3u;
let n148 = n29[n139];
let n149 = n148.x;
let n150 = n148.y;
let n151 = n148.z;
let n152 = n148.w;
n15 = (n15 + select(f32(0), n149, n137));
n15 = (n15 + select(f32(0), n150, n137));
n15 = (n15 + select(f32(0), n151, n137));
n15 = (n15 + select(f32(0), n152, n137));
n153[n3] = n15;
workgroupBarrier();
for (var n154 = 16u; n154 > 0u; n154 >>= 1u) {
if (n7 < n154) { n153[n3] = (n153[n3] + n153[n3 + n154]); }
workgroupBarrier();
}
let n155 = n153[n3 - n7];
workgroupBarrier();
let n156 = n157(n155, n13);
let n158 = (n156 + n14);
let n159 = inverseSqrt(n158);
let n160 = (n159 * n159);
let n161 = n162[n19];
let n163 = n161.x;
let n164 = n161.y;
let n165 = n161.z;
let n166 = n161.w;
let n167 = (n163 * n159);
let n168 = (n164 * n159);
let n169 = (n165 * n159);
let n170 = (n166 * n159);
let n171 = n172[n21];
let n173 = (n167 * n171);
let n174 = n172[n23];
let n175 = (n168 * n174);
let n176 = n172[n25];
let n177 = (n169 * n176);
let n178 = n172[n27];
let n179 = (n170 * n178);
if (n9 && n17) {
n180[n19] = vec4<f32>(n167, n168, n169, n170);
n181[n19] = vec4<f32>(n173, n175, n177, n179);
}
let n182 = n162[n37];
let n183 = n182.x;
let n184 = n182.y;
let n185 = n182.z;
let n186 = n182.w;
let n187 = (n183 * n159);
let n188 = (n184 * n159);
let n189 = (n185 * n159);
let n190 = (n186 * n159);
let n191 = n172[n39];
let n192 = (n187 * n191);
let n193 = n172[n41];
let n194 = (n188 * n193);
let n195 = n172[n43];
let n196 = (n189 * n195);
let n197 = n172[n45];
let n198 = (n190 * n197);
if (n9 && n35) {
n180[n37] = vec4<f32>(n187, n188, n189, n190);
n181[n37] = vec4<f32>(n192, n194, n196, n198);
}
let n199 = n162[n54];
let n200 = n199.x;
let n201 = n199.y;
let n202 = n199.z;
let n203 = n199.w;
let n204 = (n200 * n159);
let n205 = (n201 * n159);
let n206 = (n202 * n159);
let n207 = (n203 * n159);
let n208 = n172[n56];
let n209 = (n204 * n208);
let n210 = n172[n58];
let n211 = (n205 * n210);
let n212 = n172[n60];
let n213 = (n206 * n212);
let n214 = n172[n62];
let n215 = (n207 * n214);
if (n9 && n52) {
n180[n54] = vec4<f32>(n204, n205, n206, n207);
n181[n54] = vec4<f32>(n209, n211, n213, n215);
}
let n216 = n162[n71];
let n217 = n216.x;
let n218 = n216.y;
let n219 = n216.z;
let n220 = n216.w;
let n221 = (n217 * n159);
let n222 = (n218 * n159);
let n223 = (n219 * n159);
let n224 = (n220 * n159);
let n225 = n172[n73];
let n226 = (n221 * n225);
let n227 = n172[n75];
let n228 = (n222 * n227);
let n229 = n172[n77];
let n230 = (n223 * n229);
let n231 = n172[n79];
let n232 = (n224 * n231);
if (n9 && n69) {
n180[n71] = vec4<f32>(n221, n222, n223, n224);
n181[n71] = vec4<f32>(n226, n228, n230, n232);
}
let n233 = n162[n88];
let n234 = n233.x;
let n235 = n233.y;
let n236 = n233.z;
let n237 = n233.w;
let n238 = (n234 * n159);
let n239 = (n235 * n159);
let n240 = (n236 * n159);
let n241 = (n237 * n159);
let n242 = n172[n90];
let n243 = (n238 * n242);
let n244 = n172[n92];
let n245 = (n239 * n244);
let n246 = n172[n94];
let n247 = (n240 * n246);
let n248 = n172[n96];
let n249 = (n241 * n248);
if (n9 && n86) {
n180[n88] = vec4<f32>(n238, n239, n240, n241);
n181[n88] = vec4<f32>(n243, n245, n247, n249);
}
let n250 = n162[n105];
let n251 = n250.x;
let n252 = n250.y;
let n253 = n250.z;
let n254 = n250.w;
let n255 = (n251 * n159);
let n256 = (n252 * n159);
let n257 = (n253 * n159);
let n258 = (n254 * n159);
let n259 = n172[n107];
let n260 = (n255 * n259);
let n261 = n172[n109];
let n262 = (n256 * n261);
let n263 = n172[n111];
let n264 = (n257 * n263);
let n265 = n172[n113];
let n266 = (n258 * n265);
if (n9 && n103) {
n180[n105] = vec4<f32>(n255, n256, n257, n258);
n181[n105] = vec4<f32>(n260, n262, n264, n266);
}
let n267 = n162[n122];
let n268 = n267.x;
let n269 = n267.y;
let n270 = n267.z;
let n271 = n267.w;
let n272 = (n268 * n159);
let n273 = (n269 * n159);
let n274 = (n270 * n159);
let n275 = (n271 * n159);
let n276 = n172[n124];
let n277 = (n272 * n276);
let n278 = n172[n126];
let n279 = (n273 * n278);
let n280 = n172[n128];
let n281 = (n274 * n280);
let n282 = n172[n130];
let n283 = (n275 * n282);
if (n9 && n120) {
n180[n122] = vec4<f32>(n272, n273, n274, n275);
n181[n122] = vec4<f32>(n277, n279, n281, n283);
}
let n284 = n162[n139];
let n285 = n284.x;
let n286 = n284.y;
let n287 = n284.z;
let n288 = n284.w;
let n289 = (n285 * n159);
let n290 = (n286 * n159);
let n291 = (n287 * n159);
let n292 = (n288 * n159);
let n293 = n172[n141];
let n294 = (n289 * n293);
let n295 = n172[n143];
let n296 = (n290 * n295);
let n297 = n172[n145];
let n298 = (n291 * n297);
let n299 = n172[n147];
let n300 = (n292 * n299);
if (n9 && n137) {
n180[n139] = vec4<f32>(n289, n290, n291, n292);
n181[n139] = vec4<f32>(n294, n296, n298, n300);
}
if (n7 == 0u && n9) {
n301[n10] = n159;
n302[n10] = n160;
}
}
// 0ceede8f6d8f
fn n0(n1: f32) -> f32 {
var n2 = n1;
n2 += subgroupShuffleXor(n2, 1u);
n2 += subgroupShuffleXor(n2, 2u);
return n2;
}
// 0d1c5e4102d0
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9((n10[n4 >> 1u] >> ((n4 & 1u) << 4u)) & 0xffffu);
let n11 = n8;
let n12 = (n4 % n3[0].w);
let n13 = n14[n12];
let n15 = (n11 * n13);
let n16 = n4 / n3[2].z;
let n17 = n16 / n3[2].x;
let n18 = (n4 - n16 * n3[2].z) + (n16 - n17 * n3[2].x) * n3[2].y + n17 * n3[1].w + n3[3].x;
let n19 = n9((n10[n18 >> 1u] >> ((n18 & 1u) << 4u)) & 0xffffu);
let n20 = n19;
let n21 = (n4 % n3[3].w);
let n22 = n23[n21];
let n24 = (n20 * n22);
let n25 = (n15 + n24);
let n26 = n25;
let n27 = n9((n10[n5 >> 1u] >> ((n5 & 1u) << 4u)) & 0xffffu);
let n28 = n27;
let n29 = (n5 % n3[0].w);
let n30 = n14[n29];
let n31 = (n28 * n30);
let n32 = n5 / n3[2].z;
let n33 = n32 / n3[2].x;
let n34 = (n5 - n32 * n3[2].z) + (n32 - n33 * n3[2].x) * n3[2].y + n33 * n3[1].w + n3[3].x;
let n35 = n9((n10[n34 >> 1u] >> ((n34 & 1u) << 4u)) & 0xffffu);
let n36 = n35;
let n37 = (n5 % n3[3].w);
let n38 = n23[n37];
let n39 = (n36 * n38);
let n40 = (n31 + n39);
let n41 = n40;
let n42 = n9((n10[n6 >> 1u] >> ((n6 & 1u) << 4u)) & 0xffffu);
let n43 = n42;
let n44 = (n6 % n3[0].w);
let n45 = n14[n44];
let n46 = (n43 * n45);
let n47 = n6 / n3[2].z;
let n48 = n47 / n3[2].x;
let n49 = (n6 - n47 * n3[2].z) + (n47 - n48 * n3[2].x) * n3[2].y + n48 * n3[1].w + n3[3].x;
let n50 = n9((n10[n49 >> 1u] >> ((n49 & 1u) << 4u)) & 0xffffu);
let n51 = n50;
let n52 = (n6 % n3[3].w);
let n53 = n23[n52];
let n54 = (n51 * n53);
let n55 = (n46 + n54);
let n56 = n55;
let n57 = n9((n10[n7 >> 1u] >> ((n7 & 1u) << 4u)) & 0xffffu);
let n58 = n57;
let n59 = (n7 % n3[0].w);
let n60 = n14[n59];
let n61 = (n58 * n60);
let n62 = n7 / n3[2].z;
let n63 = n62 / n3[2].x;
let n64 = (n7 - n62 * n3[2].z) + (n62 - n63 * n3[2].x) * n3[2].y + n63 * n3[1].w + n3[3].x;
let n65 = n9((n10[n64 >> 1u] >> ((n64 & 1u) << 4u)) & 0xffffu);
let n66 = n65;
let n67 = (n7 % n3[3].w);
let n68 = n23[n67];
let n69 = (n66 * n68);
let n70 = (n61 + n69);
let n71 = n70;
let n72 = bitcast<i32>(n3[8].x);
let n73 = n4 / n3[5].x;
let n74 = (n4 - n73 * n3[5].x) + n73 * n3[4].w;
let n75 = bitcast<i32>(n74);
let n76 = bitcast<i32>(n3[8].y);
let n77 = (n75 * n76);
let n78 = (n72 + n77);
let n79 = 0u;
let n80 = n81[n79];
let n82 = bitcast<i32>(n3[8].z);
let n83 = n84(n80, n82);
let n85 = bitcast<i32>(n3[8].w);
let n86 = (n83 * n85);
let n87 = (n78 + n86);
let n88 = n5 / n3[5].x;
let n89 = (n5 - n88 * n3[5].x) + n88 * n3[4].w;
let n90 = bitcast<i32>(n89);
let n91 = (n90 * n76);
let n92 = (n72 + n91);
let n93 = 0u;
let n94 = n81[n93];
let n95 = n84(select(0, n94, 4u * n1 + 1u <= n2), n82);
let n96 = (n95 * n85);
let n97 = (n92 + n96);
let n98 = n6 / n3[5].x;
let n99 = (n6 - n98 * n3[5].x) + n98 * n3[4].w;
let n100 = bitcast<i32>(n99);
let n101 = (n100 * n76);
let n102 = (n72 + n101);
let n103 = 0u;
let n104 = n81[n103];
let n105 = n84(select(0, n104, 4u * n1 + 2u <= n2), n82);
let n106 = (n105 * n85);
let n107 = (n102 + n106);
let n108 = n7 / n3[5].x;
let n109 = (n7 - n108 * n3[5].x) + n108 * n3[4].w;
let n110 = bitcast<i32>(n109);
let n111 = (n110 * n76);
let n112 = (n72 + n111);
let n113 = 0u;
let n114 = n81[n113];
let n115 = n84(select(0, n114, 4u * n1 + 3u <= n2), n82);
let n116 = (n115 * n85);
let n117 = (n112 + n116);
atomicAnd(&n118[u32(n87) >> 1u], ~(0xffffu << ((u32(n87) & 1u) << 4u))); atomicOr(&n118[u32(n87) >> 1u], n119(n26) << ((u32(n87) & 1u) << 4u));
if (4u * n1 + 1u <= n2) { atomicAnd(&n118[u32(n97) >> 1u], ~(0xffffu << ((u32(n97) & 1u) << 4u))); atomicOr(&n118[u32(n97) >> 1u], n119(n41) << ((u32(n97) & 1u) << 4u));
}
if (4u * n1 + 2u <= n2) { atomicAnd(&n118[u32(n107) >> 1u], ~(0xffffu << ((u32(n107) & 1u) << 4u))); atomicOr(&n118[u32(n107) >> 1u], n119(n56) << ((u32(n107) & 1u) << 4u));
}
if (4u * n1 + 3u <= n2) { atomicAnd(&n118[u32(n117) >> 1u], ~(0xffffu << ((u32(n117) & 1u) << 4u))); atomicOr(&n118[u32(n117) >> 1u], n119(n71) << ((u32(n117) & 1u) << 4u));
}
}
// 0e5f4a37594f
const n0: f32 = 8.0;
// 0f230aea6220
fn n0(n1: u32) {
let n2 = n3[7].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4;
let n9 = f32(n10[n8]);
let n11 = n9;
let n12 = (n4 % n3[8].z);
let n13 = n14[n12];
let n15 = (n11 * n13);
let n16 = n4 / n3[10].y;
let n17 = n16 / n3[9].w;
let n18 = (n4 - n16 * n3[10].y) + (n16 - n17 * n3[9].w) * n3[10].x + n17 * n3[9].z + n3[10].w;
let n19 = n18;
let n20 = f32(n10[n19]);
let n21 = n20;
let n22 = (n4 % n3[12].y);
let n23 = n24[n22];
let n25 = (n21 * n23);
let n26 = (n15 + n25);
let n27 = n26;
let n28 = n5;
let n29 = f32(n10[n28]);
let n30 = n29;
let n31 = (n5 % n3[8].z);
let n32 = n14[n31];
let n33 = (n30 * n32);
let n34 = n5 / n3[10].y;
let n35 = n34 / n3[9].w;
let n36 = (n5 - n34 * n3[10].y) + (n34 - n35 * n3[9].w) * n3[10].x + n35 * n3[9].z + n3[10].w;
let n37 = n36;
let n38 = f32(n10[n37]);
let n39 = n38;
let n40 = (n5 % n3[12].y);
let n41 = n24[n40];
let n42 = (n39 * n41);
let n43 = (n33 + n42);
let n44 = n43;
let n45 = n6;
let n46 = f32(n10[n45]);
let n47 = n46;
let n48 = (n6 % n3[8].z);
let n49 = n14[n48];
let n50 = (n47 * n49);
let n51 = n6 / n3[10].y;
let n52 = n51 / n3[9].w;
let n53 = (n6 - n51 * n3[10].y) + (n51 - n52 * n3[9].w) * n3[10].x + n52 * n3[9].z + n3[10].w;
let n54 = n53;
let n55 = f32(n10[n54]);
let n56 = n55;
let n57 = (n6 % n3[12].y);
let n58 = n24[n57];
let n59 = (n56 * n58);
let n60 = (n50 + n59);
let n61 = n60;
let n62 = n7;
let n63 = f32(n10[n62]);
let n64 = n63;
let n65 = (n7 % n3[8].z);
let n66 = n14[n65];
let n67 = (n64 * n66);
let n68 = n7 / n3[10].y;
let n69 = n68 / n3[9].w;
let n70 = (n7 - n68 * n3[10].y) + (n68 - n69 * n3[9].w) * n3[10].x + n69 * n3[9].z + n3[10].w;
let n71 = n70;
let n72 = f32(n10[n71]);
let n73 = n72;
let n74 = (n7 % n3[12].y);
let n75 = n24[n74];
let n76 = (n73 * n75);
let n77 = (n67 + n76);
let n78 = n77;
n79[n1] = vec4<f16>(vec4<f32>(n27, n44, n61, n78));
}
// 0f67c225733b
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[5].x);
let n14 = bitcast<f32>(n5[5].y);
let n15 = n16(n13, n14);
let n17 = (-n15);
let n18 = (-n17);
let n19 = bitcast<f32>(n5[5].z);
let n20 = bitcast<f32>(n5[5].w);
let n21 = bitcast<i32>(n5[6].x);
let n22 = bitcast<i32>(n5[6].y);
let n23 = n24[n10];
var n25: f32 = (-n26());
let n27 = n7 + 0u;
let n28 = n27 < n11;
let n29 = min(n27, n11 - 1u);
let n30 = n12 + n29;
let n31 = 4u * n30 + 0u;
let n32 = 4u * n29 + 0u;
let n33 = 4u * n30 + 1u;
let n34 = 4u * n29 + 1u;
let n35 = 4u * n30 + 2u;
let n36 = 4u * n29 + 2u;
let n37 = 4u * n30 + 3u;
let n38 = 4u * n29 + 3u;
let n39 = n40[n30];
let n41 = n39.x;
let n42 = n39.y;
let n43 = n39.z;
let n44 = n39.w;
n25 = n45(n25, select((-n26()), n41, n28));
n25 = n45(n25, select((-n26()), n42, n28));
n25 = n45(n25, select((-n26()), n43, n28));
n25 = n45(n25, select((-n26()), n44, n28));
let n46 = subgroupAny(n47(n25));
let n48 = subgroupMax(select(n25, (-n26()), n47(n25)));
let n49 = select(n48, n50(), n46);
if (n3 % 32u == 0u) { n51[n3 / 32u] = n49; }
workgroupBarrier();
let n52 = (n3 - n7) / 32u;
var n53 = n51[n52];
for (var n54 = 1u; n54 < 8u; n54++) { n53 = n45(n53, n51[n52 + n54]); }
let n55 = n53;
workgroupBarrier();
let n56 = n57(n55);
let n58 = select(n19, n55, n56);
var n59: f32 = f32(0);
let n60 = (n41 - n58);
let n61 = n62(n60);
n59 = (n59 + select(f32(0), n61, n28));
let n63 = (n42 - n58);
let n64 = n62(n63);
n59 = (n59 + select(f32(0), n64, n28));
let n65 = (n43 - n58);
let n66 = n62(n65);
n59 = (n59 + select(f32(0), n66, n28));
let n67 = (n44 - n58);
let n68 = n62(n67);
n59 = (n59 + select(f32(0), n68, n28));
let n69 = subgroupAdd(n59);
if (n3 % 32u == 0u) { n51[n3 / 32u] = n69; }
workgroupBarrier();
let n70 = (n3 - n7) / 32u;
var n71 = n51[n70];
for (var n54 = 1u; n54 < 8u; n54++) { n71 = (n71 + n51[n70 + n54]); }
let n72 = n71;
workgroupBarrier();
let n73 = n74(n72);
let n75 = (n73 + n58);
let n76 = (n75 == n20);
let n77 = select(n75, n19, n76);
let n78 = (n41 - n77);
let n79 = n62(n78);
let n80 = (n18 * n79);
let n81 = bitcast<i32>(n32);
let n82 = (n81 * n22);
let n83 = (n21 + n82);
let n84 = (n83 == n23);
let n85 = select(n19, n17, n84);
let n86 = (n80 + n85);
let n87 = (n42 - n77);
let n88 = n62(n87);
let n89 = (n18 * n88);
let n90 = bitcast<i32>(n34);
let n91 = (n90 * n22);
let n92 = (n21 + n91);
let n93 = (n92 == n23);
let n94 = select(n19, n17, n93);
let n95 = (n89 + n94);
let n96 = (n43 - n77);
let n97 = n62(n96);
let n98 = (n18 * n97);
let n99 = bitcast<i32>(n36);
let n100 = (n99 * n22);
let n101 = (n21 + n100);
let n102 = (n101 == n23);
let n103 = select(n19, n17, n102);
let n104 = (n98 + n103);
let n105 = (n44 - n77);
let n106 = n62(n105);
let n107 = (n18 * n106);
let n108 = bitcast<i32>(n38);
let n109 = (n108 * n22);
let n110 = (n21 + n109);
let n111 = (n110 == n23);
let n112 = select(n19, n17, n111);
let n113 = (n107 + n112);
if (n9 && n28) {
n114[n30] = vec4<f32>(n86, n95, n104, n113);
}
}
// 0f6ae37a9a32
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = vec4<f32>(n9[n1]);
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[1].x);
let n15 = (n10 * n14);
let n16 = (n11 * n14);
let n17 = (n12 * n14);
let n18 = (n13 * n14);
n19[n1] = vec4<f16>(vec4<f32>(n15, n16, n17, n18));
}
// 0faf47404051
@group(0) @binding(6) var<uniform> n0: array<vec4<u32>, 4>;
// 103cb28fbc34
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 16u;
let n8 = (n1.y * n2.x + n1.x) * 8u + n3 / 16u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n10 + n20 * n5[1].y;
let n28 = n29[n27];
n13 = n30(n13, select((-n14()), n28, n16));
let n31 = n10 + n22 * n5[1].y;
let n32 = n29[n31];
n13 = n30(n13, select((-n14()), n32, n16));
let n33 = n10 + n24 * n5[1].y;
let n34 = n29[n33];
n13 = n30(n13, select((-n14()), n34, n16));
let n35 = n10 + n26 * n5[1].y;
let n36 = n29[n35];
n13 = n30(n13, select((-n14()), n36, n16));
n37[n3] = n13;
workgroupBarrier();
for (var n38 = 8u; n38 > 0u; n38 >>= 1u) {
if (n7 < n38) { n37[n3] = n30(n37[n3], n37[n3 + n38]); }
workgroupBarrier();
}
let n39 = n37[n3 - n7];
workgroupBarrier();
var n40: f32 = f32(0);
let n41 = (n28 - n39);
let n42 = n43(n41);
n40 = (n40 + select(f32(0), n42, n16));
let n44 = (n32 - n39);
let n45 = n43(n44);
n40 = (n40 + select(f32(0), n45, n16));
let n46 = (n34 - n39);
let n47 = n43(n46);
n40 = (n40 + select(f32(0), n47, n16));
let n48 = (n36 - n39);
let n49 = n43(n48);
n40 = (n40 + select(f32(0), n49, n16));
n37[n3] = n40;
workgroupBarrier();
for (var n38 = 8u; n38 > 0u; n38 >>= 1u) {
if (n7 < n38) { n37[n3] = (n37[n3] + n37[n3 + n38]); }
workgroupBarrier();
}
let n50 = n37[n3 - n7];
workgroupBarrier();
let n51 = n52(n42, n50);
let n53 = n52(n45, n50);
let n54 = n52(n47, n50);
let n55 = n52(n49, n50);
if (n9 && n16) {
n56[n18] = vec4<f32>(n51, n53, n54, n55);
}
}
// 107ded3523da
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = n23[n9];
let n24 = (n3.x * n22);
let n25 = n26[n6];
let n27 = (n24 * n25);
let n28 = (n18 + n27);
let n29 = n23[n11];
let n30 = (n3.y * n29);
let n31 = n26[n6];
let n32 = (n30 * n31);
let n33 = (n19 + n32);
let n34 = n23[n13];
let n35 = (n3.z * n34);
let n36 = n26[n6];
let n37 = (n35 * n36);
let n38 = (n20 + n37);
let n39 = n23[n15];
let n40 = (n3.w * n39);
let n41 = n26[n6];
let n42 = (n40 * n41);
let n43 = (n21 + n42);
let n44 = n45[n7];
let n46 = n44.x;
let n47 = n44.y;
let n48 = n44.z;
let n49 = n44.w;
let n50 = (n24 * n46);
let n51 = (n30 * n47);
let n52 = (n35 * n48);
let n53 = (n40 * n49);
let n54 = n55[n7];
let n56 = n54.x;
let n57 = n54.y;
let n58 = n54.z;
let n59 = n54.w;
let n60 = (n3.x * n56);
let n61 = (n3.y * n57);
let n62 = (n3.z * n58);
let n63 = (n3.w * n59);
n64[n7] = vec4<f32>(n28, n33, n38, n43);
n65[n7] = vec4<f32>(n50, n51, n52, n53);
n66[n7] = vec4<f32>(n60, n61, n62, n63);
}
// 1103f63d1454
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[2u * n1];
let n5 = n4[2u * n1 + 1u];
let n6 = n7((n3 >> 0u) & 0xffffu);
let n8 = n7((n3 >> 16u) & 0xffffu);
let n9 = n7((n5 >> 0u) & 0xffffu);
let n10 = n7((n5 >> 16u) & 0xffffu);
let n11 = bitcast<f32>(n12[3].z);
let n13 = (n6 * n11);
let n14 = n2 + 1u;
let n15 = (n8 * n11);
let n16 = n2 + 2u;
let n17 = (n9 * n11);
let n18 = n2 + 3u;
let n19 = (n10 * n11);
return vec4<f32>(n7(n20(n13)), n7(n20(n15)), n7(n20(n17)), n7(n20(n19)));
}
// 113d9deb2210
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let group = n1.y * n2.x + n1.x;
let n4 = n5[0].y;
let n6 = n5[0].w >> 2u;
let n7 = (n6 + 7u) / 8u;
let n8 = (n4 + 31u) / 32u;
let n9 = (group / n7) % n8 * 32u + n3 % 32u;
let n10 = group % n7 * 8u + n3 / 32u;
if (n9 < n4 && n10 < n6) { n11((group / (n7 * n8) * n4 + n9) * n6 + n10); }
}
// 115893867665
var<workgroup> n0: array<f32, 128>;
// 11b134d60491
fn n0(n1: u32, n2: vec4<f32>) {
n3[n1] = n2;
}
// 12b660f5616b
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n12 / n3[3].w;
let n14 = n13 / n3[3].y;
let n15 = n14 / n3[2].w;
let n16 = n15 / n3[2].y;
let n17 = (n12 - n13 * n3[3].w) + (n13 - n14 * n3[3].y) * n3[3].z + (n14 - n15 * n3[2].w) * n3[3].x + (n15 - n16 * n3[2].y) * n3[2].z + n16 * n3[2].x + n3[4].y;
let n18 = n17 / n3[5].y;
let n19 = n17 - n18 * n3[5].y - n3[5].z;
let n20 = n18 - n3[4].w;
let n21 = n19 < n3[5].w && n20 < n3[5].x;
let n22 = select(0u, n19 + n20 * n3[5].w, n21);
let n23 = n22 / n3[7].z;
let n24 = n23 / n3[7].x;
let n25 = n24 / n3[6].z;
let n26 = (n22 - n23 * n3[7].z) + (n23 - n24 * n3[7].x) * n3[7].y + (n24 - n25 * n3[6].z) * n3[6].w + n25 * n3[6].y;
let n27 = n28[n26];
let n29 = n17 / n3[9].x;
let n30 = n17 - n29 * n3[9].x - n3[9].y;
let n31 = n29 - n3[8].z;
let n32 = n30 < n3[9].z && n31 < n3[8].w;
let n33 = select(0u, n30 + n31 * n3[9].z, n32);
let n34 = n33 / n3[11].y;
let n35 = n34 / n3[10].w;
let n36 = n35 / n3[10].y;
let n37 = (n33 - n34 * n3[11].y) + (n34 - n35 * n3[10].w) * n3[11].x + (n35 - n36 * n3[10].y) * n3[10].z + n36 * n3[10].x;
let n38 = n39[n37];
let n40 = bitcast<f32>(n3[32].z);
let n41 = select(n40, n38, n32);
let n42 = select(n41, n27, n21);
let n43 = (n17 % n3[13].y);
let n44 = n45[n43];
let n46 = (n42 * n44);
let n47 = n4 / n3[14].w;
let n48 = n4 - n47 * n3[14].w - n3[15].x;
let n49 = n47 - n3[14].y;
let n50 = n48 < n3[15].y && n49 < n3[14].z;
let n51 = select(0u, n48 + n49 * n3[15].y, n50);
let n52 = n53[n51];
let n54 = select(n40, n52, n50);
let n55 = select(n54, n46, n11);
let n56 = n4 / n3[19].y;
let n57 = n4 - n56 * n3[19].y - n3[19].z;
let n58 = n56 / n3[18].z;
let n59 = n56 - n58 * n3[18].z - n3[18].w;
let n60 = n58 / n3[17].w;
let n61 = n58 - n60 * n3[17].w - n3[18].x;
let n62 = n60 / n3[17].x;
let n63 = n60 - n62 * n3[17].x - n3[17].y;
let n64 = n62 - n3[16].z;
let n65 = n57 < n3[19].w && n59 < n3[19].x && n61 < n3[18].y && n63 < n3[17].z && n64 < n3[16].w;
let n66 = select(0u, n57 + n59 * n3[19].w + n61 * (n3[19].w * n3[19].x) + n63 * ((n3[19].w * n3[19].x) * n3[18].y) + n64 * (((n3[19].w * n3[19].x) * n3[18].y) * n3[17].z), n65);
let n67 = n66 / n3[21].z;
let n68 = n67 / n3[21].x;
let n69 = n68 / n3[20].z;
let n70 = (n66 - n67 * n3[21].z) + (n67 - n68 * n3[21].x) * n3[21].y + (n68 - n69 * n3[20].z) * n3[20].w + n69 * n3[20].y;
let n71 = n70 / n3[23].x;
let n72 = n70 - n71 * n3[23].x - n3[23].y;
let n73 = n71 - n3[22].z;
let n74 = n72 < n3[23].z && n73 < n3[22].w;
let n75 = select(0u, n72 + n73 * n3[23].z, n74);
let n76 = n75 / n3[25].y;
let n77 = n76 / n3[24].w;
let n78 = n77 / n3[24].y;
let n79 = (n75 - n76 * n3[25].y) + (n76 - n77 * n3[24].w) * n3[25].x + (n77 - n78 * n3[24].y) * n3[24].z + n78 * n3[24].x;
let n80 = n28[n79];
let n81 = n70 / n3[26].w;
let n82 = n70 - n81 * n3[26].w - n3[27].x;
let n83 = n81 - n3[26].y;
let n84 = n82 < n3[27].y && n83 < n3[26].z;
let n85 = select(0u, n82 + n83 * n3[27].y, n84);
let n86 = n85 / n3[29].x;
let n87 = n86 / n3[28].z;
let n88 = n87 / n3[28].x;
let n89 = (n85 - n86 * n3[29].x) + (n86 - n87 * n3[28].z) * n3[28].w + (n87 - n88 * n3[28].x) * n3[28].y + n88 * n3[27].w;
let n90 = n39[n89];
let n91 = select(n40, n90, n84);
let n92 = select(n91, n80, n74);
let n93 = (n70 % n3[31].x);
let n94 = n95[n93];
let n96 = (n92 * n94);
let n97 = bitcast<f32>(n3[32].w);
let n98 = select(n97, n96, n65);
let n99 = (n55 + n98);
let n100 = n5 / n3[1].x;
let n101 = n5 - n100 * n3[1].x - n3[1].y;
let n102 = n100 - n3[0].z;
let n103 = n101 < n3[1].z && n102 < n3[0].w;
let n104 = select(0u, n101 + n102 * n3[1].z, n103);
let n105 = n104 / n3[3].w;
let n106 = n105 / n3[3].y;
let n107 = n106 / n3[2].w;
let n108 = n107 / n3[2].y;
let n109 = (n104 - n105 * n3[3].w) + (n105 - n106 * n3[3].y) * n3[3].z + (n106 - n107 * n3[2].w) * n3[3].x + (n107 - n108 * n3[2].y) * n3[2].z + n108 * n3[2].x + n3[4].y;
let n110 = n109 / n3[5].y;
let n111 = n109 - n110 * n3[5].y - n3[5].z;
let n112 = n110 - n3[4].w;
let n113 = n111 < n3[5].w && n112 < n3[5].x;
let n114 = select(0u, n111 + n112 * n3[5].w, n113);
let n115 = n114 / n3[7].z;
let n116 = n115 / n3[7].x;
let n117 = n116 / n3[6].z;
let n118 = (n114 - n115 * n3[7].z) + (n115 - n116 * n3[7].x) * n3[7].y + (n116 - n117 * n3[6].z) * n3[6].w + n117 * n3[6].y;
let n119 = n28[n118];
let n120 = n109 / n3[9].x;
let n121 = n109 - n120 * n3[9].x - n3[9].y;
let n122 = n120 - n3[8].z;
let n123 = n121 < n3[9].z && n122 < n3[8].w;
let n124 = select(0u, n121 + n122 * n3[9].z, n123);
let n125 = n124 / n3[11].y;
let n126 = n125 / n3[10].w;
let n127 = n126 / n3[10].y;
let n128 = (n124 - n125 * n3[11].y) + (n125 - n126 * n3[10].w) * n3[11].x + (n126 - n127 * n3[10].y) * n3[10].z + n127 * n3[10].x;
let n129 = n39[n128];
let n130 = select(n40, n129, n123);
let n131 = select(n130, n119, n113);
let n132 = (n109 % n3[13].y);
let n133 = n45[n132];
let n134 = (n131 * n133);
let n135 = n5 / n3[14].w;
let n136 = n5 - n135 * n3[14].w - n3[15].x;
let n137 = n135 - n3[14].y;
let n138 = n136 < n3[15].y && n137 < n3[14].z;
let n139 = select(0u, n136 + n137 * n3[15].y, n138);
let n140 = n53[n139];
let n141 = select(n40, n140, n138);
let n142 = select(n141, n134, n103);
let n143 = n5 / n3[19].y;
let n144 = n5 - n143 * n3[19].y - n3[19].z;
let n145 = n143 / n3[18].z;
let n146 = n143 - n145 * n3[18].z - n3[18].w;
let n147 = n145 / n3[17].w;
let n148 = n145 - n147 * n3[17].w - n3[18].x;
let n149 = n147 / n3[17].x;
let n150 = n147 - n149 * n3[17].x - n3[17].y;
let n151 = n149 - n3[16].z;
let n152 = n144 < n3[19].w && n146 < n3[19].x && n148 < n3[18].y && n150 < n3[17].z && n151 < n3[16].w;
let n153 = select(0u, n144 + n146 * n3[19].w + n148 * (n3[19].w * n3[19].x) + n150 * ((n3[19].w * n3[19].x) * n3[18].y) + n151 * (((n3[19].w * n3[19].x) * n3[18].y) * n3[17].z), n152);
let n154 = n153 / n3[21].z;
let n155 = n154 / n3[21].x;
let n156 = n155 / n3[20].z;
let n157 = (n153 - n154 * n3[21].z) + (n154 - n155 * n3[21].x) * n3[21].y + (n155 - n156 * n3[20].z) * n3[20].w + n156 * n3[20].y;
let n158 = n157 / n3[23].x;
let n159 = n157 - n158 * n3[23].x - n3[23].y;
let n160 = n158 - n3[22].z;
let n161 = n159 < n3[23].z && n160 < n3[22].w;
let n162 = select(0u, n159 + n160 * n3[23].z, n161);
let n163 = n162 / n3[25].y;
let n164 = n163 / n3[24].w;
let n165 = n164 / n3[24].y;
let n166 = (n162 - n163 * n3[25].y) + (n163 - n164 * n3[24].w) * n3[25].x + (n164 - n165 * n3[24].y) * n3[24].z + n165 * n3[24].x;
let n167 = n28[n166];
let n168 = n157 / n3[26].w;
let n169 = n157 - n168 * n3[26].w - n3[27].x;
let n170 = n168 - n3[26].y;
let n171 = n169 < n3[27].y && n170 < n3[26].z;
let n172 = select(0u, n169 + n170 * n3[27].y, n171);
let n173 = n172 / n3[29].x;
let n174 = n173 / n3[28].z;
let n175 = n174 / n3[28].x;
let n176 = (n172 - n173 * n3[29].x) + (n173 - n174 * n3[28].z) * n3[28].w + (n174 - n175 * n3[28].x) * n3[28].y + n175 * n3[27].w;
let n177 = n39[n176];
let n178 = select(n40, n177, n171);
let n179 = select(n178, n167, n161);
let n180 = (n157 % n3[31].x);
let n181 = n95[n180];
let n182 = (n179 * n181);
let n183 = select(n97, n182, n152);
let n184 = (n142 + n183);
let n185 = n6 / n3[1].x;
let n186 = n6 - n185 * n3[1].x - n3[1].y;
let n187 = n185 - n3[0].z;
let n188 = n186 < n3[1].z && n187 < n3[0].w;
let n189 = select(0u, n186 + n187 * n3[1].z, n188);
let n190 = n189 / n3[3].w;
let n191 = n190 / n3[3].y;
let n192 = n191 / n3[2].w;
let n193 = n192 / n3[2].y;
let n194 = (n189 - n190 * n3[3].w) + (n190 - n191 * n3[3].y) * n3[3].z + (n191 - n192 * n3[2].w) * n3[3].x + (n192 - n193 * n3[2].y) * n3[2].z + n193 * n3[2].x + n3[4].y;
let n195 = n194 / n3[5].y;
let n196 = n194 - n195 * n3[5].y - n3[5].z;
let n197 = n195 - n3[4].w;
let n198 = n196 < n3[5].w && n197 < n3[5].x;
let n199 = select(0u, n196 + n197 * n3[5].w, n198);
let n200 = n199 / n3[7].z;
let n201 = n200 / n3[7].x;
let n202 = n201 / n3[6].z;
let n203 = (n199 - n200 * n3[7].z) + (n200 - n201 * n3[7].x) * n3[7].y + (n201 - n202 * n3[6].z) * n3[6].w + n202 * n3[6].y;
let n204 = n28[n203];
let n205 = n194 / n3[9].x;
let n206 = n194 - n205 * n3[9].x - n3[9].y;
let n207 = n205 - n3[8].z;
let n208 = n206 < n3[9].z && n207 < n3[8].w;
let n209 = select(0u, n206 + n207 * n3[9].z, n208);
let n210 = n209 / n3[11].y;
let n211 = n210 / n3[10].w;
let n212 = n211 / n3[10].y;
let n213 = (n209 - n210 * n3[11].y) + (n210 - n211 * n3[10].w) * n3[11].x + (n211 - n212 * n3[10].y) * n3[10].z + n212 * n3[10].x;
let n214 = n39[n213];
let n215 = select(n40, n214, n208);
let n216 = select(n215, n204, n198);
let n217 = (n194 % n3[13].y);
let n218 = n45[n217];
let n219 = (n216 * n218);
let n220 = n6 / n3[14].w;
let n221 = n6 - n220 * n3[14].w - n3[15].x;
let n222 = n220 - n3[14].y;
let n223 = n221 < n3[15].y && n222 < n3[14].z;
let n224 = select(0u, n221 + n222 * n3[15].y, n223);
let n225 = n53[n224];
let n226 = select(n40, n225, n223);
let n227 = select(n226, n219, n188);
let n228 = n6 / n3[19].y;
let n229 = n6 - n228 * n3[19].y - n3[19].z;
let n230 = n228 / n3[18].z;
let n231 = n228 - n230 * n3[18].z - n3[18].w;
let n232 = n230 / n3[17].w;
let n233 = n230 - n232 * n3[17].w - n3[18].x;
let n234 = n232 / n3[17].x;
let n235 = n232 - n234 * n3[17].x - n3[17].y;
let n236 = n234 - n3[16].z;
let n237 = n229 < n3[19].w && n231 < n3[19].x && n233 < n3[18].y && n235 < n3[17].z && n236 < n3[16].w;
let n238 = select(0u, n229 + n231 * n3[19].w + n233 * (n3[19].w * n3[19].x) + n235 * ((n3[19].w * n3[19].x) * n3[18].y) + n236 * (((n3[19].w * n3[19].x) * n3[18].y) * n3[17].z), n237);
let n239 = n238 / n3[21].z;
let n240 = n239 / n3[21].x;
let n241 = n240 / n3[20].z;
let n242 = (n238 - n239 * n3[21].z) + (n239 - n240 * n3[21].x) * n3[21].y + (n240 - n241 * n3[20].z) * n3[20].w + n241 * n3[20].y;
let n243 = n242 / n3[23].x;
let n244 = n242 - n243 * n3[23].x - n3[23].y;
let n245 = n243 - n3[22].z;
let n246 = n244 < n3[23].z && n245 < n3[22].w;
let n247 = select(0u, n244 + n245 * n3[23].z, n246);
let n248 = n247 / n3[25].y;
let n249 = n248 / n3[24].w;
let n250 = n249 / n3[24].y;
let n251 = (n247 - n248 * n3[25].y) + (n248 - n249 * n3[24].w) * n3[25].x + (n249 - n250 * n3[24].y) * n3[24].z + n250 * n3[24].x;
let n252 = n28[n251];
let n253 = n242 / n3[26].w;
let n254 = n242 - n253 * n3[26].w - n3[27].x;
let n255 = n253 - n3[26].y;
let n256 = n254 < n3[27].y && n255 < n3[26].z;
let n257 = select(0u, n254 + n255 * n3[27].y, n256);
let n258 = n257 / n3[29].x;
let n259 = n258 / n3[28].z;
let n260 = n259 / n3[28].x;
let n261 = (n257 - n258 * n3[29].x) + (n258 - n259 * n3[28].z) * n3[28].w + (n259 - n260 * n3[28].x) * n3[28].y + n260 * n3[27].w;
let n262 = n39[n261];
let n263 = select(n40, n262, n256);
let n264 = select(n263, n252, n246);
let n265 = (n242 % n3[31].x);
let n266 = n95[n265];
let n267 = (n264 * n266);
let n268 = select(n97, n267, n237);
let n269 = (n227 + n268);
let n270 = n7 / n3[1].x;
let n271 = n7 - n270 * n3[1].x - n3[1].y;
let n272 = n270 - n3[0].z;
let n273 = n271 < n3[1].z && n272 < n3[0].w;
let n274 = select(0u, n271 + n272 * n3[1].z, n273);
let n275 = n274 / n3[3].w;
let n276 = n275 / n3[3].y;
let n277 = n276 / n3[2].w;
let n278 = n277 / n3[2].y;
let n279 = (n274 - n275 * n3[3].w) + (n275 - n276 * n3[3].y) * n3[3].z + (n276 - n277 * n3[2].w) * n3[3].x + (n277 - n278 * n3[2].y) * n3[2].z + n278 * n3[2].x + n3[4].y;
let n280 = n279 / n3[5].y;
let n281 = n279 - n280 * n3[5].y - n3[5].z;
let n282 = n280 - n3[4].w;
let n283 = n281 < n3[5].w && n282 < n3[5].x;
let n284 = select(0u, n281 + n282 * n3[5].w, n283);
let n285 = n284 / n3[7].z;
let n286 = n285 / n3[7].x;
let n287 = n286 / n3[6].z;
let n288 = (n284 - n285 * n3[7].z) + (n285 - n286 * n3[7].x) * n3[7].y + (n286 - n287 * n3[6].z) * n3[6].w + n287 * n3[6].y;
let n289 = n28[n288];
let n290 = n279 / n3[9].x;
let n291 = n279 - n290 * n3[9].x - n3[9].y;
let n292 = n290 - n3[8].z;
let n293 = n291 < n3[9].z && n292 < n3[8].w;
let n294 = select(0u, n291 + n292 * n3[9].z, n293);
let n295 = n294 / n3[11].y;
let n296 = n295 / n3[10].w;
let n297 = n296 / n3[10].y;
let n298 = (n294 - n295 * n3[11].y) + (n295 - n296 * n3[10].w) * n3[11].x + (n296 - n297 * n3[10].y) * n3[10].z + n297 * n3[10].x;
let n299 = n39[n298];
let n300 = select(n40, n299, n293);
let n301 = select(n300, n289, n283);
let n302 = (n279 % n3[13].y);
let n303 = n45[n302];
let n304 = (n301 * n303);
let n305 = n7 / n3[14].w;
let n306 = n7 - n305 * n3[14].w - n3[15].x;
let n307 = n305 - n3[14].y;
let n308 = n306 < n3[15].y && n307 < n3[14].z;
let n309 = select(0u, n306 + n307 * n3[15].y, n308);
let n310 = n53[n309];
let n311 = select(n40, n310, n308);
let n312 = select(n311, n304, n273);
let n313 = n7 / n3[19].y;
let n314 = n7 - n313 * n3[19].y - n3[19].z;
let n315 = n313 / n3[18].z;
let n316 = n313 - n315 * n3[18].z - n3[18].w;
let n317 = n315 / n3[17].w;
let n318 = n315 - n317 * n3[17].w - n3[18].x;
let n319 = n317 / n3[17].x;
let n320 = n317 - n319 * n3[17].x - n3[17].y;
let n321 = n319 - n3[16].z;
let n322 = n314 < n3[19].w && n316 < n3[19].x && n318 < n3[18].y && n320 < n3[17].z && n321 < n3[16].w;
let n323 = select(0u, n314 + n316 * n3[19].w + n318 * (n3[19].w * n3[19].x) + n320 * ((n3[19].w * n3[19].x) * n3[18].y) + n321 * (((n3[19].w * n3[19].x) * n3[18].y) * n3[17].z), n322);
let n324 = n323 / n3[21].z;
let n325 = n324 / n3[21].x;
let n326 = n325 / n3[20].z;
let n327 = (n323 - n324 * n3[21].z) + (n324 - n325 * n3[21].x) * n3[21].y + (n325 - n326 * n3[20].z) * n3[20].w + n326 * n3[20].y;
let n328 = n327 / n3[23].x;
let n329 = n327 - n328 * n3[23].x - n3[23].y;
let n330 = n328 - n3[22].z;
let n331 = n329 < n3[23].z && n330 < n3[22].w;
let n332 = select(0u, n329 + n330 * n3[23].z, n331);
let n333 = n332 / n3[25].y;
let n334 = n333 / n3[24].w;
let n335 = n334 / n3[24].y;
let n336 = (n332 - n333 * n3[25].y) + (n333 - n334 * n3[24].w) * n3[25].x + (n334 - n335 * n3[24].y) * n3[24].z + n335 * n3[24].x;
let n337 = n28[n336];
let n338 = n327 / n3[26].w;
let n339 = n327 - n338 * n3[26].w - n3[27].x;
let n340 = n338 - n3[26].y;
let n341 = n339 < n3[27].y && n340 < n3[26].z;
let n342 = select(0u, n339 + n340 * n3[27].y, n341);
let n343 = n342 / n3[29].x;
let n344 = n343 / n3[28].z;
let n345 = n344 / n3[28].x;
let n346 = (n342 - n343 * n3[29].x) + (n343 - n344 * n3[28].z) * n3[28].w + (n344 - n345 * n3[28].x) * n3[28].y + n345 * n3[27].w;
let n347 = n39[n346];
let n348 = select(n40, n347, n341);
let n349 = select(n348, n337, n331);
let n350 = (n327 % n3[31].x);
let n351 = n95[n350];
let n352 = (n349 * n351);
let n353 = select(n97, n352, n322);
let n354 = (n312 + n353);
n355[n1] = vec4<f32>(n99, n184, n269, n354);
}
// 12b975a2e264
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
let n32 = n7 + 256u;
let n33 = n32 < n11;
let n34 = min(n32, n11 - 1u);
let n35 = n12 + n34;
let n36 = 4u * n35 + 0u;
let n37 = 4u * n34 + 0u;
let n38 = 4u * n35 + 1u;
let n39 = 4u * n34 + 1u;
let n40 = 4u * n35 + 2u;
let n41 = 4u * n34 + 2u;
let n42 = 4u * n35 + 3u;
let n43 = 4u * n34 + 3u;
let n44 = n27[n35];
let n45 = n44.x;
let n46 = n44.y;
let n47 = n44.z;
let n48 = n44.w;
n13 = (n13 + select(f32(0), n45, n33));
n13 = (n13 + select(f32(0), n46, n33));
n13 = (n13 + select(f32(0), n47, n33));
n13 = (n13 + select(f32(0), n48, n33));
let n49 = subgroupAdd(n13);
if (n3 % 32u == 0u) { n50[n3 / 32u] = n49; }
workgroupBarrier();
let n51 = (n3 - n7) / 32u;
var n52 = n50[n51];
for (var n53 = 1u; n53 < 8u; n53++) { n52 = (n52 + n50[n51 + n53]); }
let n54 = n52;
workgroupBarrier();
var n55: f32 = f32(0);
let n56 = n57[n17];
let n58 = n56.x;
let n59 = n56.y;
let n60 = n56.z;
let n61 = n56.w;
let n62 = (n58 * n54);
n55 = (n55 + select(f32(0), n62, n15));
let n63 = (n59 * n54);
n55 = (n55 + select(f32(0), n63, n15));
let n64 = (n60 * n54);
n55 = (n55 + select(f32(0), n64, n15));
let n65 = (n61 * n54);
n55 = (n55 + select(f32(0), n65, n15));
let n66 = n57[n35];
let n67 = n66.x;
let n68 = n66.y;
let n69 = n66.z;
let n70 = n66.w;
let n71 = (n67 * n54);
n55 = (n55 + select(f32(0), n71, n33));
let n72 = (n68 * n54);
n55 = (n55 + select(f32(0), n72, n33));
let n73 = (n69 * n54);
n55 = (n55 + select(f32(0), n73, n33));
let n74 = (n70 * n54);
n55 = (n55 + select(f32(0), n74, n33));
let n75 = subgroupAdd(n55);
if (n3 % 32u == 0u) { n50[n3 / 32u] = n75; }
workgroupBarrier();
let n76 = (n3 - n7) / 32u;
var n77 = n50[n76];
for (var n53 = 1u; n53 < 8u; n53++) { n77 = (n77 + n50[n76 + n53]); }
let n78 = n77;
workgroupBarrier();
if (n7 == 0u && n9) {
n79[n10] = n78;
}
}
// 135bf4d787f8
fn n0(x: f32) -> bool {
return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}
// 137540b551cf
@group(0) @binding(6) var<storage, read_write> n0: array<vec4<f16>>;
// 137c5e25e849
@group(0) @binding(1) var<storage, read_write> n0: array<f16>;
// 13c835cd099d
var<workgroup> n0: array<f32, n1 * n2>;
// 148953aa4406
enable f16;
// 150fb81d0586
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[3].x || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[4].y + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 15f21a3bbd0b
@group(0) @binding(2) var<storage, read_write> n0: array<vec2<u32>>;
// 17830588d6d8
@group(0) @binding(8) var<storage, read_write> n0: array<u32>;
// 1834b7fa3b5b
var<workgroup> n0: array<vec4<f32>, n1 / 4u>;
// 18a83464e528
@group(0) @binding(6) var<storage, read> n0: array<f32>;
// 18c35f8865fe
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 10>;
// 19dc2bdc5af7
alias n0 = f32;
// 1a2da18e00e4
fn n0(x: f32, n1: i32) -> f32 {
let n2 = n1 >> 1u;
return x * bitcast<f32>(u32(n2 + 127) << 23u) * bitcast<f32>(u32(n1 - n2 + 127) << 23u);
}
// 1a8757eb309d
alias n0 = f16;
// 1a8b80a57190
var<workgroup> n0: array<vec4<f32>, n1>;
// 1b56c9cc4121
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = n14[n10];
let n15 = bitcast<f32>(n5[2].w);
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = n34[2u * n24];
let n35 = n34[2u * n24 + 1u];
let n36 = n37((n33 >> 0u) & 0xffffu);
let n38 = n37((n33 >> 16u) & 0xffffu);
let n39 = n37((n35 >> 0u) & 0xffffu);
let n40 = n37((n35 >> 16u) & 0xffffu);
let n41 = n36;
let n42 = n37((n43[n26 >> 1u] >> ((n26 & 1u) << 4u)) & 0xffffu);
let n44 = n42;
let n45 = (n41 * n44);
let n46 = n47[2u * n24];
let n48 = n47[2u * n24 + 1u];
let n49 = n37((n46 >> 0u) & 0xffffu);
let n50 = n37((n46 >> 16u) & 0xffffu);
let n51 = n37((n48 >> 0u) & 0xffffu);
let n52 = n37((n48 >> 16u) & 0xffffu);
let n53 = n49;
let n54 = (n45 * n53);
n20 = (n20 + select(f32(0), n54, n22));
let n55 = n38;
let n56 = n37((n43[n28 >> 1u] >> ((n28 & 1u) << 4u)) & 0xffffu);
let n57 = n56;
let n58 = (n55 * n57);
let n59 = n50;
let n60 = (n58 * n59);
n20 = (n20 + select(f32(0), n60, n22));
let n61 = n39;
let n62 = n37((n43[n30 >> 1u] >> ((n30 & 1u) << 4u)) & 0xffffu);
let n63 = n62;
let n64 = (n61 * n63);
let n65 = n51;
let n66 = (n64 * n65);
n20 = (n20 + select(f32(0), n66, n22));
let n67 = n40;
let n68 = n37((n43[n32 >> 1u] >> ((n32 & 1u) << 4u)) & 0xffffu);
let n69 = n68;
let n70 = (n67 * n69);
let n71 = n52;
let n72 = (n70 * n71);
n20 = (n20 + select(f32(0), n72, n22));
let n73 = n7 + 32u;
let n74 = n73 < n11;
let n75 = min(n73, n11 - 1u);
let n76 = n12 + n75;
let n77 = 4u * n76 + 0u;
let n78 = 4u * n75 + 0u;
let n79 = 4u * n76 + 1u;
let n80 = 4u * n75 + 1u;
let n81 = 4u * n76 + 2u;
let n82 = 4u * n75 + 2u;
let n83 = 4u * n76 + 3u;
let n84 = 4u * n75 + 3u;
let n85 = n34[2u * n76];
let n86 = n34[2u * n76 + 1u];
let n87 = n37((n85 >> 0u) & 0xffffu);
let n88 = n37((n85 >> 16u) & 0xffffu);
let n89 = n37((n86 >> 0u) & 0xffffu);
let n90 = n37((n86 >> 16u) & 0xffffu);
let n91 = n87;
let n92 = n37((n43[n78 >> 1u] >> ((n78 & 1u) << 4u)) & 0xffffu);
let n93 = n92;
let n94 = (n91 * n93);
let n95 = n47[2u * n76];
let n96 = n47[2u * n76 + 1u];
let n97 = n37((n95 >> 0u) & 0xffffu);
let n98 = n37((n95 >> 16u) & 0xffffu);
let n99 = n37((n96 >> 0u) & 0xffffu);
let n100 = n37((n96 >> 16u) & 0xffffu);
let n101 = n97;
let n102 = (n94 * n101);
n20 = (n20 + select(f32(0), n102, n74));
let n103 = n88;
let n104 = n37((n43[n80 >> 1u] >> ((n80 & 1u) << 4u)) & 0xffffu);
let n105 = n104;
let n106 = (n103 * n105);
let n107 = n98;
let n108 = (n106 * n107);
n20 = (n20 + select(f32(0), n108, n74));
let n109 = n89;
let n110 = n37((n43[n82 >> 1u] >> ((n82 & 1u) << 4u)) & 0xffffu);
let n111 = n110;
let n112 = (n109 * n111);
let n113 = n99;
let n114 = (n112 * n113);
n20 = (n20 + select(f32(0), n114, n74));
let n115 = n90;
let n116 = n37((n43[n84 >> 1u] >> ((n84 & 1u) << 4u)) & 0xffffu);
let n117 = n116;
let n118 = (n115 * n117);
let n119 = n100;
let n120 = (n118 * n119);
n20 = (n20 + select(f32(0), n120, n74));
let n121 = n7 + 64u;
let n122 = n121 < n11;
let n123 = min(n121, n11 - 1u);
let n124 = n12 + n123;
let n125 = 4u * n124 + 0u;
let n126 = 4u * n123 + 0u;
let n127 = 4u * n124 + 1u;
let n128 = 4u * n123 + 1u;
let n129 = 4u * n124 + 2u;
let n130 = 4u * n123 + 2u;
let n131 = 4u * n124 + 3u;
let n132 = 4u * n123 + 3u;
let n133 = n34[2u * n124];
let n134 = n34[2u * n124 + 1u];
let n135 = n37((n133 >> 0u) & 0xffffu);
let n136 = n37((n133 >> 16u) & 0xffffu);
let n137 = n37((n134 >> 0u) & 0xffffu);
let n138 = n37((n134 >> 16u) & 0xffffu);
let n139 = n135;
let n140 = n37((n43[n126 >> 1u] >> ((n126 & 1u) << 4u)) & 0xffffu);
let n141 = n140;
let n142 = (n139 * n141);
let n143 = n47[2u * n124];
let n144 = n47[2u * n124 + 1u];
let n145 = n37((n143 >> 0u) & 0xffffu);
let n146 = n37((n143 >> 16u) & 0xffffu);
let n147 = n37((n144 >> 0u) & 0xffffu);
let n148 = n37((n144 >> 16u) & 0xffffu);
let n149 = n145;
let n150 = (n142 * n149);
n20 = (n20 + select(f32(0), n150, n122));
let n151 = n136;
let n152 = n37((n43[n128 >> 1u] >> ((n128 & 1u) << 4u)) & 0xffffu);
let n153 = n152;
let n154 = (n151 * n153);
let n155 = n146;
let n156 = (n154 * n155);
n20 = (n20 + select(f32(0), n156, n122));
let n157 = n137;
let n158 = n37((n43[n130 >> 1u] >> ((n130 & 1u) << 4u)) & 0xffffu);
let n159 = n158;
let n160 = (n157 * n159);
let n161 = n147;
let n162 = (n160 * n161);
n20 = (n20 + select(f32(0), n162, n122));
let n163 = n138;
let n164 = n37((n43[n132 >> 1u] >> ((n132 & 1u) << 4u)) & 0xffffu);
let n165 = n164;
let n166 = (n163 * n165);
let n167 = n148;
let n168 = (n166 * n167);
n20 = (n20 + select(f32(0), n168, n122));
let n169 = n7 + 96u;
let n170 = n169 < n11;
let n171 = min(n169, n11 - 1u);
let n172 = n12 + n171;
let n173 = 4u * n172 + 0u;
let n174 = 4u * n171 + 0u;
let n175 = 4u * n172 + 1u;
let n176 = 4u * n171 + 1u;
let n177 = 4u * n172 + 2u;
let n178 = 4u * n171 + 2u;
let n179 = 4u * n172 + 3u;
let n180 = 4u * n171 + 3u;
let n181 = n34[2u * n172];
let n182 = n34[2u * n172 + 1u];
let n183 = n37((n181 >> 0u) & 0xffffu);
let n184 = n37((n181 >> 16u) & 0xffffu);
let n185 = n37((n182 >> 0u) & 0xffffu);
let n186 = n37((n182 >> 16u) & 0xffffu);
let n187 = n183;
let n188 = n37((n43[n174 >> 1u] >> ((n174 & 1u) << 4u)) & 0xffffu);
let n189 = n188;
let n190 = (n187 * n189);
let n191 = n47[2u * n172];
let n192 = n47[2u * n172 + 1u];
let n193 = n37((n191 >> 0u) & 0xffffu);
let n194 = n37((n191 >> 16u) & 0xffffu);
let n195 = n37((n192 >> 0u) & 0xffffu);
let n196 = n37((n192 >> 16u) & 0xffffu);
let n197 = n193;
let n198 = (n190 * n197);
n20 = (n20 + select(f32(0), n198, n170));
let n199 = n184;
let n200 = n37((n43[n176 >> 1u] >> ((n176 & 1u) << 4u)) & 0xffffu);
let n201 = n200;
let n202 = (n199 * n201);
let n203 = n194;
let n204 = (n202 * n203);
n20 = (n20 + select(f32(0), n204, n170));
let n205 = n185;
let n206 = n37((n43[n178 >> 1u] >> ((n178 & 1u) << 4u)) & 0xffffu);
let n207 = n206;
let n208 = (n205 * n207);
let n209 = n195;
let n210 = (n208 * n209);
n20 = (n20 + select(f32(0), n210, n170));
let n211 = n186;
let n212 = n37((n43[n180 >> 1u] >> ((n180 & 1u) << 4u)) & 0xffffu);
let n213 = n212;
let n214 = (n211 * n213);
let n215 = n196;
let n216 = (n214 * n215);
n20 = (n20 + select(f32(0), n216, n170));
let n217 = n7 + 128u;
let n218 = n217 < n11;
let n219 = min(n217, n11 - 1u);
let n220 = n12 + n219;
let n221 = 4u * n220 + 0u;
let n222 = 4u * n219 + 0u;
let n223 = 4u * n220 + 1u;
let n224 = 4u * n219 + 1u;
let n225 = 4u * n220 + 2u;
let n226 = 4u * n219 + 2u;
let n227 = 4u * n220 + 3u;
let n228 = 4u * n219 + 3u;
let n229 = n34[2u * n220];
let n230 = n34[2u * n220 + 1u];
let n231 = n37((n229 >> 0u) & 0xffffu);
let n232 = n37((n229 >> 16u) & 0xffffu);
let n233 = n37((n230 >> 0u) & 0xffffu);
let n234 = n37((n230 >> 16u) & 0xffffu);
let n235 = n231;
let n236 = n37((n43[n222 >> 1u] >> ((n222 & 1u) << 4u)) & 0xffffu);
let n237 = n236;
let n238 = (n235 * n237);
let n239 = n47[2u * n220];
let n240 = n47[2u * n220 + 1u];
let n241 = n37((n239 >> 0u) & 0xffffu);
let n242 = n37((n239 >> 16u) & 0xffffu);
let n243 = n37((n240 >> 0u) & 0xffffu);
let n244 = n37((n240 >> 16u) & 0xffffu);
let n245 = n241;
let n246 = (n238 * n245);
n20 = (n20 + select(f32(0), n246, n218));
let n247 = n232;
let n248 = n37((n43[n224 >> 1u] >> ((n224 & 1u) << 4u)) & 0xffffu);
let n249 = n248;
let n250 = (n247 * n249);
let n251 = n242;
let n252 = (n250 * n251);
n20 = (n20 + select(f32(0), n252, n218));
let n253 = n233;
let n254 = n37((n43[n226 >> 1u] >> ((n226 & 1u) << 4u)) & 0xffffu);
let n255 = n254;
let n256 = (n253 * n255);
let n257 = n243;
let n258 = (n256 * n257);
n20 = (n20 + select(f32(0), n258, n218));
let n259 = n234;
let n260 = n37((n43[n228 >> 1u] >> ((n228 & 1u) << 4u)) & 0xffffu);
let n261 = n260;
let n262 = (n259 * n261);
let n263 = n244;
let n264 = (n262 * n263);
n20 = (n20 + select(f32(0), n264, n218));
let n265 = n7 + 160u;
let n266 = n265 < n11;
let n267 = min(n265, n11 - 1u);
let n268 = n12 + n267;
let n269 = 4u * n268 + 0u;
let n270 = 4u * n267 + 0u;
let n271 = 4u * n268 + 1u;
let n272 = 4u * n267 + 1u;
let n273 = 4u * n268 + 2u;
let n274 = 4u * n267 + 2u;
let n275 = 4u * n268 + 3u;
let n276 = 4u * n267 + 3u;
let n277 = n34[2u * n268];
let n278 = n34[2u * n268 + 1u];
let n279 = n37((n277 >> 0u) & 0xffffu);
let n280 = n37((n277 >> 16u) & 0xffffu);
let n281 = n37((n278 >> 0u) & 0xffffu);
let n282 = n37((n278 >> 16u) & 0xffffu);
let n283 = n279;
let n284 = n37((n43[n270 >> 1u] >> ((n270 & 1u) << 4u)) & 0xffffu);
let n285 = n284;
let n286 = (n283 * n285);
let n287 = n47[2u * n268];
let n288 = n47[2u * n268 + 1u];
let n289 = n37((n287 >> 0u) & 0xffffu);
let n290 = n37((n287 >> 16u) & 0xffffu);
let n291 = n37((n288 >> 0u) & 0xffffu);
let n292 = n37((n288 >> 16u) & 0xffffu);
let n293 = n289;
let n294 = (n286 * n293);
n20 = (n20 + select(f32(0), n294, n266));
let n295 = n280;
let n296 = n37((n43[n272 >> 1u] >> ((n272 & 1u) << 4u)) & 0xffffu);
let n297 = n296;
let n298 = (n295 * n297);
let n299 = n290;
let n300 = (n298 * n299);
n20 = (n20 + select(f32(0), n300, n266));
let n301 = n281;
let n302 = n37((n43[n274 >> 1u] >> ((n274 & 1u) << 4u)) & 0xffffu);
let n303 = n302;
let n304 = (n301 * n303);
let n305 = n291;
let n306 = (n304 * n305);
n20 = (n20 + select(f32(0), n306, n266));
let n307 = n282;
let n308 = n37((n43[n276 >> 1u] >> ((n276 & 1u) << 4u)) & 0xffffu);
let n309 = n308;
let n310 = (n307 * n309);
let n311 = n292;
let n312 = (n310 * n311);
n20 = (n20 + select(f32(0), n312, n266));
let n313 = n7 + 192u;
let n314 = n313 < n11;
let n315 = min(n313, n11 - 1u);
let n316 = n12 + n315;
let n317 = 4u * n316 + 0u;
let n318 = 4u * n315 + 0u;
let n319 = 4u * n316 + 1u;
let n320 = 4u * n315 + 1u;
let n321 = 4u * n316 + 2u;
let n322 = 4u * n315 + 2u;
let n323 = 4u * n316 + 3u;
let n324 = 4u * n315 + 3u;
let n325 = n34[2u * n316];
let n326 = n34[2u * n316 + 1u];
let n327 = n37((n325 >> 0u) & 0xffffu);
let n328 = n37((n325 >> 16u) & 0xffffu);
let n329 = n37((n326 >> 0u) & 0xffffu);
let n330 = n37((n326 >> 16u) & 0xffffu);
let n331 = n327;
let n332 = n37((n43[n318 >> 1u] >> ((n318 & 1u) << 4u)) & 0xffffu);
let n333 = n332;
let n334 = (n331 * n333);
let n335 = n47[2u * n316];
let n336 = n47[2u * n316 + 1u];
let n337 = n37((n335 >> 0u) & 0xffffu);
let n338 = n37((n335 >> 16u) & 0xffffu);
let n339 = n37((n336 >> 0u) & 0xffffu);
let n340 = n37((n336 >> 16u) & 0xffffu);
let n341 = n337;
let n342 = (n334 * n341);
n20 = (n20 + select(f32(0), n342, n314));
let n343 = n328;
let n344 = n37((n43[n320 >> 1u] >> ((n320 & 1u) << 4u)) & 0xffffu);
let n345 = n344;
let n346 = (n343 * n345);
let n347 = n338;
let n348 = (n346 * n347);
n20 = (n20 + select(f32(0), n348, n314));
let n349 = n329;
let n350 = n37((n43[n322 >> 1u] >> ((n322 & 1u) << 4u)) & 0xffffu);
let n351 = n350;
let n352 = (n349 * n351);
let n353 = n339;
let n354 = (n352 * n353);
n20 = (n20 + select(f32(0), n354, n314));
let n355 = n330;
let n356 = n37((n43[n324 >> 1u] >> ((n324 & 1u) << 4u)) & 0xffffu);
let n357 = n356;
let n358 = (n355 * n357);
let n359 = n340;
let n360 = (n358 * n359);
n20 = (n20 + select(f32(0), n360, n314));
let n361 = n7 + 224u;
let n362 = n361 < n11;
let n363 = min(n361, n11 - 1u);
let n364 = n12 + n363;
let n365 = 4u * n364 + 0u;
let n366 = 4u * n363 + 0u;
let n367 = 4u * n364 + 1u;
let n368 = 4u * n363 + 1u;
let n369 = 4u * n364 + 2u;
let n370 = 4u * n363 + 2u;
let n371 = 4u * n364 + 3u;
let n372 = 4u * n363 + 3u;
let n373 = n34[2u * n364];
let n374 = n34[2u * n364 + 1u];
let n375 = n37((n373 >> 0u) & 0xffffu);
let n376 = n37((n373 >> 16u) & 0xffffu);
let n377 = n37((n374 >> 0u) & 0xffffu);
let n378 = n37((n374 >> 16u) & 0xffffu);
let n379 = n375;
let n380 = n37((n43[n366 >> 1u] >> ((n366 & 1u) << 4u)) & 0xffffu);
let n381 = n380;
let n382 = (n379 * n381);
let n383 = n47[2u * n364];
let n384 = n47[2u * n364 + 1u];
let n385 = n37((n383 >> 0u) & 0xffffu);
let n386 = n37((n383 >> 16u) & 0xffffu);
let n387 = n37((n384 >> 0u) & 0xffffu);
let n388 = n37((n384 >> 16u) & 0xffffu);
let n389 = n385;
let n390 = (n382 * n389);
n20 = (n20 + select(f32(0), n390, n362));
let n391 = n376;
let n392 = n37((n43[n368 >> 1u] >> ((n368 & 1u) << 4u)) & 0xffffu);
let n393 = n392;
let n394 = (n391 * n393);
let n395 = n386;
let n396 = (n394 * n395);
n20 = (n20 + select(f32(0), n396, n362));
let n397 = n377;
let n398 = n37((n43[n370 >> 1u] >> ((n370 & 1u) << 4u)) & 0xffffu);
let n399 = n398;
let n400 = (n397 * n399);
let n401 = n387;
let n402 = (n400 * n401);
n20 = (n20 + select(f32(0), n402, n362));
let n403 = n378;
let n404 = n37((n43[n372 >> 1u] >> ((n372 & 1u) << 4u)) & 0xffffu);
let n405 = n404;
let n406 = (n403 * n405);
let n407 = n388;
let n408 = (n406 * n407);
n20 = (n20 + select(f32(0), n408, n362));
n409[n3] = n20;
workgroupBarrier();
for (var n410 = 16u; n410 > 0u; n410 >>= 1u) {
if (n7 < n410) { n409[n3] = (n409[n3] + n409[n3 + n410]); }
workgroupBarrier();
}
let n411 = n409[n3 - n7];
workgroupBarrier();
let n412 = (n411 * n15);
let n413 = (n412 * n13);
let n414 = (n413 * n16);
let n415 = n416(n414, n18);
let n417 = (n415 * n19);
let n418 = n419[2u * n24];
let n420 = n419[2u * n24 + 1u];
let n421 = n37((n418 >> 0u) & 0xffffu);
let n422 = n37((n418 >> 16u) & 0xffffu);
let n423 = n37((n420 >> 0u) & 0xffffu);
let n424 = n37((n420 >> 16u) & 0xffffu);
let n425 = (n45 * n13);
let n426 = (n417 * n53);
let n427 = (n425 + n426);
let n428 = n37(n429(n427));
let n430 = (n421 + n428);
let n431 = (n58 * n13);
let n432 = (n417 * n59);
let n433 = (n431 + n432);
let n434 = n37(n429(n433));
let n435 = (n422 + n434);
let n436 = (n64 * n13);
let n437 = (n417 * n65);
let n438 = (n436 + n437);
let n439 = n37(n429(n438));
let n440 = (n423 + n439);
let n441 = (n70 * n13);
let n442 = (n417 * n71);
let n443 = (n441 + n442);
let n444 = n37(n429(n443));
let n445 = (n424 + n444);
if (n9 && n22) {
n446[2u * n24] = n429(n430) | (n429(n435) << 16u);
n446[2u * n24 + 1u] = n429(n440) | (n429(n445) << 16u);
}
let n447 = n419[2u * n76];
let n448 = n419[2u * n76 + 1u];
let n449 = n37((n447 >> 0u) & 0xffffu);
let n450 = n37((n447 >> 16u) & 0xffffu);
let n451 = n37((n448 >> 0u) & 0xffffu);
let n452 = n37((n448 >> 16u) & 0xffffu);
let n453 = (n94 * n13);
let n454 = (n417 * n101);
let n455 = (n453 + n454);
let n456 = n37(n429(n455));
let n457 = (n449 + n456);
let n458 = (n106 * n13);
let n459 = (n417 * n107);
let n460 = (n458 + n459);
let n461 = n37(n429(n460));
let n462 = (n450 + n461);
let n463 = (n112 * n13);
let n464 = (n417 * n113);
let n465 = (n463 + n464);
let n466 = n37(n429(n465));
let n467 = (n451 + n466);
let n468 = (n118 * n13);
let n469 = (n417 * n119);
let n470 = (n468 + n469);
let n471 = n37(n429(n470));
let n472 = (n452 + n471);
if (n9 && n74) {
n446[2u * n76] = n429(n457) | (n429(n462) << 16u);
n446[2u * n76 + 1u] = n429(n467) | (n429(n472) << 16u);
}
let n473 = n419[2u * n124];
let n474 = n419[2u * n124 + 1u];
let n475 = n37((n473 >> 0u) & 0xffffu);
let n476 = n37((n473 >> 16u) & 0xffffu);
let n477 = n37((n474 >> 0u) & 0xffffu);
let n478 = n37((n474 >> 16u) & 0xffffu);
let n479 = (n142 * n13);
let n480 = (n417 * n149);
let n481 = (n479 + n480);
let n482 = n37(n429(n481));
let n483 = (n475 + n482);
let n484 = (n154 * n13);
let n485 = (n417 * n155);
let n486 = (n484 + n485);
let n487 = n37(n429(n486));
let n488 = (n476 + n487);
let n489 = (n160 * n13);
let n490 = (n417 * n161);
let n491 = (n489 + n490);
let n492 = n37(n429(n491));
let n493 = (n477 + n492);
let n494 = (n166 * n13);
let n495 = (n417 * n167);
let n496 = (n494 + n495);
let n497 = n37(n429(n496));
let n498 = (n478 + n497);
if (n9 && n122) {
n446[2u * n124] = n429(n483) | (n429(n488) << 16u);
n446[2u * n124 + 1u] = n429(n493) | (n429(n498) << 16u);
}
let n499 = n419[2u * n172];
let n500 = n419[2u * n172 + 1u];
let n501 = n37((n499 >> 0u) & 0xffffu);
let n502 = n37((n499 >> 16u) & 0xffffu);
let n503 = n37((n500 >> 0u) & 0xffffu);
let n504 = n37((n500 >> 16u) & 0xffffu);
let n505 = (n190 * n13);
let n506 = (n417 * n197);
let n507 = (n505 + n506);
let n508 = n37(n429(n507));
let n509 = (n501 + n508);
let n510 = (n202 * n13);
let n511 = (n417 * n203);
let n512 = (n510 + n511);
let n513 = n37(n429(n512));
let n514 = (n502 + n513);
let n515 = (n208 * n13);
let n516 = (n417 * n209);
let n517 = (n515 + n516);
let n518 = n37(n429(n517));
let n519 = (n503 + n518);
let n520 = (n214 * n13);
let n521 = (n417 * n215);
let n522 = (n520 + n521);
let n523 = n37(n429(n522));
let n524 = (n504 + n523);
if (n9 && n170) {
n446[2u * n172] = n429(n509) | (n429(n514) << 16u);
n446[2u * n172 + 1u] = n429(n519) | (n429(n524) << 16u);
}
let n525 = n419[2u * n220];
let n526 = n419[2u * n220 + 1u];
let n527 = n37((n525 >> 0u) & 0xffffu);
let n528 = n37((n525 >> 16u) & 0xffffu);
let n529 = n37((n526 >> 0u) & 0xffffu);
let n530 = n37((n526 >> 16u) & 0xffffu);
let n531 = (n238 * n13);
let n532 = (n417 * n245);
let n533 = (n531 + n532);
let n534 = n37(n429(n533));
let n535 = (n527 + n534);
let n536 = (n250 * n13);
let n537 = (n417 * n251);
let n538 = (n536 + n537);
let n539 = n37(n429(n538));
let n540 = (n528 + n539);
let n541 = (n256 * n13);
let n542 = (n417 * n257);
let n543 = (n541 + n542);
let n544 = n37(n429(n543));
let n545 = (n529 + n544);
let n546 = (n262 * n13);
let n547 = (n417 * n263);
let n548 = (n546 + n547);
let n549 = n37(n429(n548));
let n550 = (n530 + n549);
if (n9 && n218) {
n446[2u * n220] = n429(n535) | (n429(n540) << 16u);
n446[2u * n220 + 1u] = n429(n545) | (n429(n550) << 16u);
}
let n551 = n419[2u * n268];
let n552 = n419[2u * n268 + 1u];
let n553 = n37((n551 >> 0u) & 0xffffu);
let n554 = n37((n551 >> 16u) & 0xffffu);
let n555 = n37((n552 >> 0u) & 0xffffu);
let n556 = n37((n552 >> 16u) & 0xffffu);
let n557 = (n286 * n13);
let n558 = (n417 * n293);
let n559 = (n557 + n558);
let n560 = n37(n429(n559));
let n561 = (n553 + n560);
let n562 = (n298 * n13);
let n563 = (n417 * n299);
let n564 = (n562 + n563);
let n565 = n37(n429(n564));
let n566 = (n554 + n565);
let n567 = (n304 * n13);
let n568 = (n417 * n305);
let n569 = (n567 + n568);
let n570 = n37(n429(n569));
let n571 = (n555 + n570);
let n572 = (n310 * n13);
let n573 = (n417 * n311);
let n574 = (n572 + n573);
let n575 = n37(n429(n574));
let n576 = (n556 + n575);
if (n9 && n266) {
n446[2u * n268] = n429(n561) | (n429(n566) << 16u);
n446[2u * n268 + 1u] = n429(n571) | (n429(n576) << 16u);
}
let n577 = n419[2u * n316];
let n578 = n419[2u * n316 + 1u];
let n579 = n37((n577 >> 0u) & 0xffffu);
let n580 = n37((n577 >> 16u) & 0xffffu);
let n581 = n37((n578 >> 0u) & 0xffffu);
let n582 = n37((n578 >> 16u) & 0xffffu);
let n583 = (n334 * n13);
let n584 = (n417 * n341);
let n585 = (n583 + n584);
let n586 = n37(n429(n585));
let n587 = (n579 + n586);
let n588 = (n346 * n13);
let n589 = (n417 * n347);
let n590 = (n588 + n589);
let n591 = n37(n429(n590));
let n592 = (n580 + n591);
let n593 = (n352 * n13);
let n594 = (n417 * n353);
let n595 = (n593 + n594);
let n596 = n37(n429(n595));
let n597 = (n581 + n596);
let n598 = (n358 * n13);
let n599 = (n417 * n359);
let n600 = (n598 + n599);
let n601 = n37(n429(n600));
let n602 = (n582 + n601);
if (n9 && n314) {
n446[2u * n316] = n429(n587) | (n429(n592) << 16u);
n446[2u * n316 + 1u] = n429(n597) | (n429(n602) << 16u);
}
let n603 = n419[2u * n364];
let n604 = n419[2u * n364 + 1u];
let n605 = n37((n603 >> 0u) & 0xffffu);
let n606 = n37((n603 >> 16u) & 0xffffu);
let n607 = n37((n604 >> 0u) & 0xffffu);
let n608 = n37((n604 >> 16u) & 0xffffu);
let n609 = (n382 * n13);
let n610 = (n417 * n389);
let n611 = (n609 + n610);
let n612 = n37(n429(n611));
let n613 = (n605 + n612);
let n614 = (n394 * n13);
let n615 = (n417 * n395);
let n616 = (n614 + n615);
let n617 = n37(n429(n616));
let n618 = (n606 + n617);
let n619 = (n400 * n13);
let n620 = (n417 * n401);
let n621 = (n619 + n620);
let n622 = n37(n429(n621));
let n623 = (n607 + n622);
let n624 = (n406 * n13);
let n625 = (n417 * n407);
let n626 = (n624 + n625);
let n627 = n37(n429(n626));
let n628 = (n608 + n627);
if (n9 && n362) {
n446[2u * n364] = n429(n613) | (n429(n618) << 16u);
n446[2u * n364 + 1u] = n429(n623) | (n429(n628) << 16u);
}
}
// 1b700e48d21e
fn n0() -> u32 { return n1[0].w; }
// 1ba138485432
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[11].w);
let n17 = n18(n3.x, n16);
let n19 = n18(n3.y, n16);
let n20 = n18(n3.z, n16);
let n21 = n18(n3.w, n16);
n22[n7] = vec4<f32>(n17, n19, n20, n21);
}
// 1be49b140926
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 4>;
// 1c06504dae7f
fn n0(group: vec3<u32>) -> vec3<u32> {
var n1 = group;
n2 = 0u;
var n3 = n4[0].z;
let n5 = (n4[0].z + n6 - 1u) / n6;
if (n1.x >= n5) {
n1.x -= n5;
n2 = 1u;
n3 = n4[3].y;
}
n1 *= vec3<u32>(n6, n7, 1u);
return n1;
}
// 1c1a0c1cf10f
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = 0u;
let n9 = n10[n8];
let n11 = f32(n9);
let n12 = bitcast<f32>(n3[8].x);
let n13 = (n4 % n3[1].z);
let n14 = n15(n13);
let n16 = bitcast<f32>(n3[8].y);
let n17 = (n14 * n16);
let n18 = (n12 + n17);
let n19 = bitcast<f32>(n3[8].z);
let n20 = (n18 * n19);
let n21 = n22(n20);
let n23 = n24(n21, n16);
let n25 = bitcast<f32>(n3[8].w);
let n26 = n4 / n3[5].w;
let n27 = n26;
let n28 = n15(n27);
let n29 = bitcast<f32>(n3[9].x);
let n30 = (n28 * n29);
let n31 = (n25 + n30);
let n32 = (n23 * n31);
let n33 = (n11 * n32);
let n34 = n35(n33);
let n36 = 0u;
let n37 = n10[n36];
let n38 = f32(n37);
let n39 = (n5 % n3[1].z);
let n40 = n15(n39);
let n41 = (n40 * n16);
let n42 = (n12 + n41);
let n43 = (n42 * n19);
let n44 = n22(n43);
let n45 = n24(n44, n16);
let n46 = n5 / n3[5].w;
let n47 = n46;
let n48 = n15(n47);
let n49 = (n48 * n29);
let n50 = (n25 + n49);
let n51 = (n45 * n50);
let n52 = (n38 * n51);
let n53 = n35(n52);
let n54 = 0u;
let n55 = n10[n54];
let n56 = f32(n55);
let n57 = (n6 % n3[1].z);
let n58 = n15(n57);
let n59 = (n58 * n16);
let n60 = (n12 + n59);
let n61 = (n60 * n19);
let n62 = n22(n61);
let n63 = n24(n62, n16);
let n64 = n6 / n3[5].w;
let n65 = n64;
let n66 = n15(n65);
let n67 = (n66 * n29);
let n68 = (n25 + n67);
let n69 = (n63 * n68);
let n70 = (n56 * n69);
let n71 = n35(n70);
let n72 = 0u;
let n73 = n10[n72];
let n74 = f32(n73);
let n75 = (n7 % n3[1].z);
let n76 = n15(n75);
let n77 = (n76 * n16);
let n78 = (n12 + n77);
let n79 = (n78 * n19);
let n80 = n22(n79);
let n81 = n24(n80, n16);
let n82 = n7 / n3[5].w;
let n83 = n82;
let n84 = n15(n83);
let n85 = (n84 * n29);
let n86 = (n25 + n85);
let n87 = (n81 * n86);
let n88 = (n74 * n87);
let n89 = n35(n88);
let n90 = n91(n33);
let n92 = n91(n52);
let n93 = n91(n70);
let n94 = n91(n88);
n95[n1] = vec4<f32>(n34, n53, n71, n89);
n96[n1] = vec4<f32>(n90, n92, n93, n94);
}
// 1d521fcbc857
@group(0) @binding(0) var<storage, read> n0: array<vec2<u32>>;
// 1d94ee78d488
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n18 + n3.x);
let n23 = (n19 + n3.y);
let n24 = (n20 + n3.z);
let n25 = (n21 + n3.w);
let n26 = (n22 * n22);
let n27 = (n23 * n23);
let n28 = (n24 * n24);
let n29 = (n25 * n25);
n30[n7] = vec4<f32>(n22, n23, n24, n25);
n31[n7] = vec4<f32>(n26, n27, n28, n29);
}
// 1e174eac3a87
@group(0) @binding(6) var<storage, read_write> n0: array<vec2<u32>>;
// 1e751d8632c5
@group(0) @binding(1) var<storage, read_write> n0: array<f32>;
// 1f12caff24ab
const n0: u32 = n1 / 4u + 1u;
// 1f4fb17ada25
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 4>;
// 1f8f20c04e37
fn n0(n1: u32, n2: u32, n3: u32) -> u32 {
return n1 * n4.n5 + n2 * n4.n6 + n3 * n4.n7;
}
// 1faecf074641
@group(0) @binding(6) var<uniform> n0: array<vec4<u32>, 3>;
// 207cf6ef69bc
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[3].x || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[4].y + n3) >> 2u;
let n9 = n10[2u * n7];
let n11 = n10[2u * n7 + 1u];
let n12 = n13((n9 >> 0u) & 0xffffu);
let n14 = n13((n9 >> 16u) & 0xffffu);
let n15 = n13((n11 >> 0u) & 0xffffu);
let n16 = n13((n11 >> 16u) & 0xffffu);
return vec4<n5>(n12, n14, n15, n16);
}
// 20fea582bcd9
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[3].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[4].z + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 212bdb48d3c2
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17(n3.x);
let n18 = (n3.x * n16);
let n19 = n17(n3.y);
let n20 = (n3.y * n19);
let n21 = n17(n3.z);
let n22 = (n3.z * n21);
let n23 = n17(n3.w);
let n24 = (n3.w * n23);
n25[n7] = vec4<f16>(vec4<f32>(n18, n20, n22, n24));
}
// 217b4fc1d458
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = n4 / n3[2].z;
let n16 = n4 - n15 * n3[2].z - n3[2].w;
let n17 = n15 - n3[2].x;
let n18 = n16 < n3[3].x && n17 < n3[2].y;
let n19 = select(0u, n16 + n17 * n3[3].x, n18);
let n20 = n21[n19];
let n22 = bitcast<f32>(n3[4].x);
let n23 = select(n22, n20, n18);
let n24 = select(n23, n13, n11);
let n25 = n5 / n3[1].x;
let n26 = n5 - n25 * n3[1].x - n3[1].y;
let n27 = n25 - n3[0].z;
let n28 = n26 < n3[1].z && n27 < n3[0].w;
let n29 = select(0u, n26 + n27 * n3[1].z, n28);
let n30 = n14[n29];
let n31 = n5 / n3[2].z;
let n32 = n5 - n31 * n3[2].z - n3[2].w;
let n33 = n31 - n3[2].x;
let n34 = n32 < n3[3].x && n33 < n3[2].y;
let n35 = select(0u, n32 + n33 * n3[3].x, n34);
let n36 = n21[n35];
let n37 = select(n22, n36, n34);
let n38 = select(n37, n30, n28);
let n39 = n6 / n3[1].x;
let n40 = n6 - n39 * n3[1].x - n3[1].y;
let n41 = n39 - n3[0].z;
let n42 = n40 < n3[1].z && n41 < n3[0].w;
let n43 = select(0u, n40 + n41 * n3[1].z, n42);
let n44 = n14[n43];
let n45 = n6 / n3[2].z;
let n46 = n6 - n45 * n3[2].z - n3[2].w;
let n47 = n45 - n3[2].x;
let n48 = n46 < n3[3].x && n47 < n3[2].y;
let n49 = select(0u, n46 + n47 * n3[3].x, n48);
let n50 = n21[n49];
let n51 = select(n22, n50, n48);
let n52 = select(n51, n44, n42);
let n53 = n7 / n3[1].x;
let n54 = n7 - n53 * n3[1].x - n3[1].y;
let n55 = n53 - n3[0].z;
let n56 = n54 < n3[1].z && n55 < n3[0].w;
let n57 = select(0u, n54 + n55 * n3[1].z, n56);
let n58 = n14[n57];
let n59 = n7 / n3[2].z;
let n60 = n7 - n59 * n3[2].z - n3[2].w;
let n61 = n59 - n3[2].x;
let n62 = n60 < n3[3].x && n61 < n3[2].y;
let n63 = select(0u, n60 + n61 * n3[3].x, n62);
let n64 = n21[n63];
let n65 = select(n22, n64, n62);
let n66 = select(n65, n58, n56);
n67[n1] = vec4<f32>(n24, n38, n52, n66);
}
// 22f01994ebbf
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[2u * n1];
let n5 = n4[2u * n1 + 1u];
let n6 = n7((n3 >> 0u) & 0xffffu);
let n8 = n7((n3 >> 16u) & 0xffffu);
let n9 = n7((n5 >> 0u) & 0xffffu);
let n10 = n7((n5 >> 16u) & 0xffffu);
let n11 = n12(n6);
let n13 = (n6 * n11);
let n14 = n15[2u * n1];
let n16 = n15[2u * n1 + 1u];
let n17 = n7((n14 >> 0u) & 0xffffu);
let n18 = n7((n14 >> 16u) & 0xffffu);
let n19 = n7((n16 >> 0u) & 0xffffu);
let n20 = n7((n16 >> 16u) & 0xffffu);
let n21 = (n13 * n17);
let n22 = n2 + 1u;
let n23 = n12(n8);
let n24 = (n8 * n23);
let n25 = (n24 * n18);
let n26 = n2 + 2u;
let n27 = n12(n9);
let n28 = (n9 * n27);
let n29 = (n28 * n19);
let n30 = n2 + 3u;
let n31 = n12(n10);
let n32 = (n10 * n31);
let n33 = (n32 * n20);
return vec4<f32>(n7(n34(n21)), n7(n34(n25)), n7(n34(n29)), n7(n34(n33)));
}
// 231a3af79f45
@group(0) @binding(8) var<storage, read_write> n0: array<vec4<f16>>;
// 233b3da1b65b
const n0: bool = true;
// 234597e9d591
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 1>;
// 23ea3e0adf42
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[2u * n19];
let n30 = n29[2u * n19 + 1u];
let n31 = n32((n28 >> 0u) & 0xffffu);
let n33 = n32((n28 >> 16u) & 0xffffu);
let n34 = n32((n30 >> 0u) & 0xffffu);
let n35 = n32((n30 >> 16u) & 0xffffu);
let n36 = n37[2u * n19];
let n38 = n37[2u * n19 + 1u];
let n39 = n32((n36 >> 0u) & 0xffffu);
let n40 = n32((n36 >> 16u) & 0xffffu);
let n41 = n32((n38 >> 0u) & 0xffffu);
let n42 = n32((n38 >> 16u) & 0xffffu);
let n43 = (n31 + n39);
let n44 = n43;
let n45 = (n44 * n44);
n15 = (n15 + select(f32(0), n45, n17));
let n46 = (n33 + n40);
let n47 = n46;
let n48 = (n47 * n47);
n15 = (n15 + select(f32(0), n48, n17));
let n49 = (n34 + n41);
let n50 = n49;
let n51 = (n50 * n50);
n15 = (n15 + select(f32(0), n51, n17));
let n52 = (n35 + n42);
let n53 = n52;
let n54 = (n53 * n53);
n15 = (n15 + select(f32(0), n54, n17));
let n55 = n7 + 32u;
let n56 = n55 < n11;
let n57 = min(n55, n11 - 1u);
let n58 = n12 + n57;
let n59 = 4u * n58 + 0u;
let n60 = 4u * n57 + 0u;
let n61 = 4u * n58 + 1u;
let n62 = 4u * n57 + 1u;
let n63 = 4u * n58 + 2u;
let n64 = 4u * n57 + 2u;
let n65 = 4u * n58 + 3u;
let n66 = 4u * n57 + 3u;
let n67 = n29[2u * n58];
let n68 = n29[2u * n58 + 1u];
let n69 = n32((n67 >> 0u) & 0xffffu);
let n70 = n32((n67 >> 16u) & 0xffffu);
let n71 = n32((n68 >> 0u) & 0xffffu);
let n72 = n32((n68 >> 16u) & 0xffffu);
let n73 = n37[2u * n58];
let n74 = n37[2u * n58 + 1u];
let n75 = n32((n73 >> 0u) & 0xffffu);
let n76 = n32((n73 >> 16u) & 0xffffu);
let n77 = n32((n74 >> 0u) & 0xffffu);
let n78 = n32((n74 >> 16u) & 0xffffu);
let n79 = (n69 + n75);
let n80 = n79;
let n81 = (n80 * n80);
n15 = (n15 + select(f32(0), n81, n56));
let n82 = (n70 + n76);
let n83 = n82;
let n84 = (n83 * n83);
n15 = (n15 + select(f32(0), n84, n56));
let n85 = (n71 + n77);
let n86 = n85;
let n87 = (n86 * n86);
n15 = (n15 + select(f32(0), n87, n56));
let n88 = (n72 + n78);
let n89 = n88;
let n90 = (n89 * n89);
n15 = (n15 + select(f32(0), n90, n56));
let n91 = n7 + 64u;
let n92 = n91 < n11;
let n93 = min(n91, n11 - 1u);
let n94 = n12 + n93;
let n95 = 4u * n94 + 0u;
let n96 = 4u * n93 + 0u;
let n97 = 4u * n94 + 1u;
let n98 = 4u * n93 + 1u;
let n99 = 4u * n94 + 2u;
let n100 = 4u * n93 + 2u;
let n101 = 4u * n94 + 3u;
let n102 = 4u * n93 + 3u;
let n103 = n29[2u * n94];
let n104 = n29[2u * n94 + 1u];
let n105 = n32((n103 >> 0u) & 0xffffu);
let n106 = n32((n103 >> 16u) & 0xffffu);
let n107 = n32((n104 >> 0u) & 0xffffu);
let n108 = n32((n104 >> 16u) & 0xffffu);
let n109 = n37[2u * n94];
let n110 = n37[2u * n94 + 1u];
let n111 = n32((n109 >> 0u) & 0xffffu);
let n112 = n32((n109 >> 16u) & 0xffffu);
let n113 = n32((n110 >> 0u) & 0xffffu);
let n114 = n32((n110 >> 16u) & 0xffffu);
let n115 = (n105 + n111);
let n116 = n115;
let n117 = (n116 * n116);
n15 = (n15 + select(f32(0), n117, n92));
let n118 = (n106 + n112);
let n119 = n118;
let n120 = (n119 * n119);
n15 = (n15 + select(f32(0), n120, n92));
let n121 = (n107 + n113);
let n122 = n121;
let n123 = (n122 * n122);
n15 = (n15 + select(f32(0), n123, n92));
let n124 = (n108 + n114);
let n125 = n124;
let n126 = (n125 * n125);
n15 = (n15 + select(f32(0), n126, n92));
let n127 = n7 + 96u;
let n128 = n127 < n11;
let n129 = min(n127, n11 - 1u);
let n130 = n12 + n129;
let n131 = 4u * n130 + 0u;
let n132 = 4u * n129 + 0u;
let n133 = 4u * n130 + 1u;
let n134 = 4u * n129 + 1u;
let n135 = 4u * n130 + 2u;
let n136 = 4u * n129 + 2u;
let n137 = 4u * n130 + 3u;
let n138 = 4u * n129 + 3u;
let n139 = n29[2u * n130];
let n140 = n29[2u * n130 + 1u];
let n141 = n32((n139 >> 0u) & 0xffffu);
let n142 = n32((n139 >> 16u) & 0xffffu);
let n143 = n32((n140 >> 0u) & 0xffffu);
let n144 = n32((n140 >> 16u) & 0xffffu);
let n145 = n37[2u * n130];
let n146 = n37[2u * n130 + 1u];
let n147 = n32((n145 >> 0u) & 0xffffu);
let n148 = n32((n145 >> 16u) & 0xffffu);
let n149 = n32((n146 >> 0u) & 0xffffu);
let n150 = n32((n146 >> 16u) & 0xffffu);
let n151 = (n141 + n147);
let n152 = n151;
let n153 = (n152 * n152);
n15 = (n15 + select(f32(0), n153, n128));
let n154 = (n142 + n148);
let n155 = n154;
let n156 = (n155 * n155);
n15 = (n15 + select(f32(0), n156, n128));
let n157 = (n143 + n149);
let n158 = n157;
let n159 = (n158 * n158);
n15 = (n15 + select(f32(0), n159, n128));
let n160 = (n144 + n150);
let n161 = n160;
let n162 = (n161 * n161);
n15 = (n15 + select(f32(0), n162, n128));
let n163 = n7 + 128u;
let n164 = n163 < n11;
let n165 = min(n163, n11 - 1u);
let n166 = n12 + n165;
let n167 = 4u * n166 + 0u;
let n168 = 4u * n165 + 0u;
let n169 = 4u * n166 + 1u;
let n170 = 4u * n165 + 1u;
let n171 = 4u * n166 + 2u;
let n172 = 4u * n165 + 2u;
let n173 = 4u * n166 + 3u;
let n174 = 4u * n165 + 3u;
let n175 = n29[2u * n166];
let n176 = n29[2u * n166 + 1u];
let n177 = n32((n175 >> 0u) & 0xffffu);
let n178 = n32((n175 >> 16u) & 0xffffu);
let n179 = n32((n176 >> 0u) & 0xffffu);
let n180 = n32((n176 >> 16u) & 0xffffu);
let n181 = n37[2u * n166];
let n182 = n37[2u * n166 + 1u];
let n183 = n32((n181 >> 0u) & 0xffffu);
let n184 = n32((n181 >> 16u) & 0xffffu);
let n185 = n32((n182 >> 0u) & 0xffffu);
let n186 = n32((n182 >> 16u) & 0xffffu);
let n187 = (n177 + n183);
let n188 = n187;
let n189 = (n188 * n188);
n15 = (n15 + select(f32(0), n189, n164));
let n190 = (n178 + n184);
let n191 = n190;
let n192 = (n191 * n191);
n15 = (n15 + select(f32(0), n192, n164));
let n193 = (n179 + n185);
let n194 = n193;
let n195 = (n194 * n194);
n15 = (n15 + select(f32(0), n195, n164));
let n196 = (n180 + n186);
let n197 = n196;
let n198 = (n197 * n197);
n15 = (n15 + select(f32(0), n198, n164));
let n199 = n7 + 160u;
let n200 = n199 < n11;
let n201 = min(n199, n11 - 1u);
let n202 = n12 + n201;
let n203 = 4u * n202 + 0u;
let n204 = 4u * n201 + 0u;
let n205 = 4u * n202 + 1u;
let n206 = 4u * n201 + 1u;
let n207 = 4u * n202 + 2u;
let n208 = 4u * n201 + 2u;
let n209 = 4u * n202 + 3u;
let n210 = 4u * n201 + 3u;
let n211 = n29[2u * n202];
let n212 = n29[2u * n202 + 1u];
let n213 = n32((n211 >> 0u) & 0xffffu);
let n214 = n32((n211 >> 16u) & 0xffffu);
let n215 = n32((n212 >> 0u) & 0xffffu);
let n216 = n32((n212 >> 16u) & 0xffffu);
let n217 = n37[2u * n202];
let n218 = n37[2u * n202 + 1u];
let n219 = n32((n217 >> 0u) & 0xffffu);
let n220 = n32((n217 >> 16u) & 0xffffu);
let n221 = n32((n218 >> 0u) & 0xffffu);
let n222 = n32((n218 >> 16u) & 0xffffu);
let n223 = (n213 + n219);
let n224 = n223;
let n225 = (n224 * n224);
n15 = (n15 + select(f32(0), n225, n200));
let n226 = (n214 + n220);
let n227 = n226;
let n228 = (n227 * n227);
n15 = (n15 + select(f32(0), n228, n200));
let n229 = (n215 + n221);
let n230 = n229;
let n231 = (n230 * n230);
n15 = (n15 + select(f32(0), n231, n200));
let n232 = (n216 + n222);
let n233 = n232;
let n234 = (n233 * n233);
n15 = (n15 + select(f32(0), n234, n200));
let n235 = n7 + 192u;
let n236 = n235 < n11;
let n237 = min(n235, n11 - 1u);
let n238 = n12 + n237;
let n239 = 4u * n238 + 0u;
let n240 = 4u * n237 + 0u;
let n241 = 4u * n238 + 1u;
let n242 = 4u * n237 + 1u;
let n243 = 4u * n238 + 2u;
let n244 = 4u * n237 + 2u;
let n245 = 4u * n238 + 3u;
let n246 = 4u * n237 + 3u;
let n247 = n29[2u * n238];
let n248 = n29[2u * n238 + 1u];
let n249 = n32((n247 >> 0u) & 0xffffu);
let n250 = n32((n247 >> 16u) & 0xffffu);
let n251 = n32((n248 >> 0u) & 0xffffu);
let n252 = n32((n248 >> 16u) & 0xffffu);
let n253 = n37[2u * n238];
let n254 = n37[2u * n238 + 1u];
let n255 = n32((n253 >> 0u) & 0xffffu);
let n256 = n32((n253 >> 16u) & 0xffffu);
let n257 = n32((n254 >> 0u) & 0xffffu);
let n258 = n32((n254 >> 16u) & 0xffffu);
let n259 = (n249 + n255);
let n260 = n259;
let n261 = (n260 * n260);
n15 = (n15 + select(f32(0), n261, n236));
let n262 = (n250 + n256);
let n263 = n262;
let n264 = (n263 * n263);
n15 = (n15 + select(f32(0), n264, n236));
let n265 = (n251 + n257);
let n266 = n265;
let n267 = (n266 * n266);
n15 = (n15 + select(f32(0), n267, n236));
let n268 = (n252 + n258);
let n269 = n268;
let n270 = (n269 * n269);
n15 = (n15 + select(f32(0), n270, n236));
let n271 = n7 + 224u;
let n272 = n271 < n11;
let n273 = min(n271, n11 - 1u);
let n274 = n12 + n273;
let n275 = 4u * n274 + 0u;
let n276 = 4u * n273 + 0u;
let n277 = 4u * n274 + 1u;
let n278 = 4u * n273 + 1u;
let n279 = 4u * n274 + 2u;
let n280 = 4u * n273 + 2u;
let n281 = 4u * n274 + 3u;
let n282 = 4u * n273 + 3u;
let n283 = n29[2u * n274];
let n284 = n29[2u * n274 + 1u];
let n285 = n32((n283 >> 0u) & 0xffffu);
let n286 = n32((n283 >> 16u) & 0xffffu);
let n287 = n32((n284 >> 0u) & 0xffffu);
let n288 = n32((n284 >> 16u) & 0xffffu);
let n289 = n37[2u * n274];
let n290 = n37[2u * n274 + 1u];
let n291 = n32((n289 >> 0u) & 0xffffu);
let n292 = n32((n289 >> 16u) & 0xffffu);
let n293 = n32((n290 >> 0u) & 0xffffu);
let n294 = n32((n290 >> 16u) & 0xffffu);
let n295 = (n285 + n291);
let n296 = n295;
let n297 = (n296 * n296);
n15 = (n15 + select(f32(0), n297, n272));
let n298 = (n286 + n292);
let n299 = n298;
let n300 = (n299 * n299);
n15 = (n15 + select(f32(0), n300, n272));
let n301 = (n287 + n293);
let n302 = n301;
let n303 = (n302 * n302);
n15 = (n15 + select(f32(0), n303, n272));
let n304 = (n288 + n294);
let n305 = n304;
let n306 = (n305 * n305);
n15 = (n15 + select(f32(0), n306, n272));
n307[n3] = n15;
workgroupBarrier();
for (var n308 = 16u; n308 > 0u; n308 >>= 1u) {
if (n7 < n308) { n307[n3] = (n307[n3] + n307[n3 + n308]); }
workgroupBarrier();
}
let n309 = n307[n3 - n7];
workgroupBarrier();
let n310 = n311(n309, n13);
let n312 = (n310 + n14);
let n313 = inverseSqrt(n312);
let n314 = (n313 * n313);
let n315 = (n44 * n313);
let n316 = n32((n317[n21 >> 1u] >> ((n21 & 1u) << 4u)) & 0xffffu);
let n318 = n316;
let n319 = (n315 * n318);
let n320 = n319;
let n321 = (n47 * n313);
let n322 = n32((n317[n23 >> 1u] >> ((n23 & 1u) << 4u)) & 0xffffu);
let n323 = n322;
let n324 = (n321 * n323);
let n325 = n324;
let n326 = (n50 * n313);
let n327 = n32((n317[n25 >> 1u] >> ((n25 & 1u) << 4u)) & 0xffffu);
let n328 = n327;
let n329 = (n326 * n328);
let n330 = n329;
let n331 = (n53 * n313);
let n332 = n32((n317[n27 >> 1u] >> ((n27 & 1u) << 4u)) & 0xffffu);
let n333 = n332;
let n334 = (n331 * n333);
let n335 = n334;
if (n9 && n17) {
n336[2u * n19] = n337(n320) | (n337(n325) << 16u);
n336[2u * n19 + 1u] = n337(n330) | (n337(n335) << 16u);
}
let n338 = (n80 * n313);
let n339 = n32((n317[n60 >> 1u] >> ((n60 & 1u) << 4u)) & 0xffffu);
let n340 = n339;
let n341 = (n338 * n340);
let n342 = n341;
let n343 = (n83 * n313);
let n344 = n32((n317[n62 >> 1u] >> ((n62 & 1u) << 4u)) & 0xffffu);
let n345 = n344;
let n346 = (n343 * n345);
let n347 = n346;
let n348 = (n86 * n313);
let n349 = n32((n317[n64 >> 1u] >> ((n64 & 1u) << 4u)) & 0xffffu);
let n350 = n349;
let n351 = (n348 * n350);
let n352 = n351;
let n353 = (n89 * n313);
let n354 = n32((n317[n66 >> 1u] >> ((n66 & 1u) << 4u)) & 0xffffu);
let n355 = n354;
let n356 = (n353 * n355);
let n357 = n356;
if (n9 && n56) {
n336[2u * n58] = n337(n342) | (n337(n347) << 16u);
n336[2u * n58 + 1u] = n337(n352) | (n337(n357) << 16u);
}
let n358 = (n116 * n313);
let n359 = n32((n317[n96 >> 1u] >> ((n96 & 1u) << 4u)) & 0xffffu);
let n360 = n359;
let n361 = (n358 * n360);
let n362 = n361;
let n363 = (n119 * n313);
let n364 = n32((n317[n98 >> 1u] >> ((n98 & 1u) << 4u)) & 0xffffu);
let n365 = n364;
let n366 = (n363 * n365);
let n367 = n366;
let n368 = (n122 * n313);
let n369 = n32((n317[n100 >> 1u] >> ((n100 & 1u) << 4u)) & 0xffffu);
let n370 = n369;
let n371 = (n368 * n370);
let n372 = n371;
let n373 = (n125 * n313);
let n374 = n32((n317[n102 >> 1u] >> ((n102 & 1u) << 4u)) & 0xffffu);
let n375 = n374;
let n376 = (n373 * n375);
let n377 = n376;
if (n9 && n92) {
n336[2u * n94] = n337(n362) | (n337(n367) << 16u);
n336[2u * n94 + 1u] = n337(n372) | (n337(n377) << 16u);
}
let n378 = (n152 * n313);
let n379 = n32((n317[n132 >> 1u] >> ((n132 & 1u) << 4u)) & 0xffffu);
let n380 = n379;
let n381 = (n378 * n380);
let n382 = n381;
let n383 = (n155 * n313);
let n384 = n32((n317[n134 >> 1u] >> ((n134 & 1u) << 4u)) & 0xffffu);
let n385 = n384;
let n386 = (n383 * n385);
let n387 = n386;
let n388 = (n158 * n313);
let n389 = n32((n317[n136 >> 1u] >> ((n136 & 1u) << 4u)) & 0xffffu);
let n390 = n389;
let n391 = (n388 * n390);
let n392 = n391;
let n393 = (n161 * n313);
let n394 = n32((n317[n138 >> 1u] >> ((n138 & 1u) << 4u)) & 0xffffu);
let n395 = n394;
let n396 = (n393 * n395);
let n397 = n396;
if (n9 && n128) {
n336[2u * n130] = n337(n382) | (n337(n387) << 16u);
n336[2u * n130 + 1u] = n337(n392) | (n337(n397) << 16u);
}
let n398 = (n188 * n313);
let n399 = n32((n317[n168 >> 1u] >> ((n168 & 1u) << 4u)) & 0xffffu);
let n400 = n399;
let n401 = (n398 * n400);
let n402 = n401;
let n403 = (n191 * n313);
let n404 = n32((n317[n170 >> 1u] >> ((n170 & 1u) << 4u)) & 0xffffu);
let n405 = n404;
let n406 = (n403 * n405);
let n407 = n406;
let n408 = (n194 * n313);
let n409 = n32((n317[n172 >> 1u] >> ((n172 & 1u) << 4u)) & 0xffffu);
let n410 = n409;
let n411 = (n408 * n410);
let n412 = n411;
let n413 = (n197 * n313);
let n414 = n32((n317[n174 >> 1u] >> ((n174 & 1u) << 4u)) & 0xffffu);
let n415 = n414;
let n416 = (n413 * n415);
let n417 = n416;
if (n9 && n164) {
n336[2u * n166] = n337(n402) | (n337(n407) << 16u);
n336[2u * n166 + 1u] = n337(n412) | (n337(n417) << 16u);
}
let n418 = (n224 * n313);
let n419 = n32((n317[n204 >> 1u] >> ((n204 & 1u) << 4u)) & 0xffffu);
let n420 = n419;
let n421 = (n418 * n420);
let n422 = n421;
let n423 = (n227 * n313);
let n424 = n32((n317[n206 >> 1u] >> ((n206 & 1u) << 4u)) & 0xffffu);
let n425 = n424;
let n426 = (n423 * n425);
let n427 = n426;
let n428 = (n230 * n313);
let n429 = n32((n317[n208 >> 1u] >> ((n208 & 1u) << 4u)) & 0xffffu);
let n430 = n429;
let n431 = (n428 * n430);
let n432 = n431;
let n433 = (n233 * n313);
let n434 = n32((n317[n210 >> 1u] >> ((n210 & 1u) << 4u)) & 0xffffu);
let n435 = n434;
let n436 = (n433 * n435);
let n437 = n436;
if (n9 && n200) {
n336[2u * n202] = n337(n422) | (n337(n427) << 16u);
n336[2u * n202 + 1u] = n337(n432) | (n337(n437) << 16u);
}
let n438 = (n260 * n313);
let n439 = n32((n317[n240 >> 1u] >> ((n240 & 1u) << 4u)) & 0xffffu);
let n440 = n439;
let n441 = (n438 * n440);
let n442 = n441;
let n443 = (n263 * n313);
let n444 = n32((n317[n242 >> 1u] >> ((n242 & 1u) << 4u)) & 0xffffu);
let n445 = n444;
let n446 = (n443 * n445);
let n447 = n446;
let n448 = (n266 * n313);
let n449 = n32((n317[n244 >> 1u] >> ((n244 & 1u) << 4u)) & 0xffffu);
let n450 = n449;
let n451 = (n448 * n450);
let n452 = n451;
let n453 = (n269 * n313);
let n454 = n32((n317[n246 >> 1u] >> ((n246 & 1u) << 4u)) & 0xffffu);
let n455 = n454;
let n456 = (n453 * n455);
let n457 = n456;
if (n9 && n236) {
n336[2u * n238] = n337(n442) | (n337(n447) << 16u);
n336[2u * n238 + 1u] = n337(n452) | (n337(n457) << 16u);
}
let n458 = (n296 * n313);
let n459 = n32((n317[n276 >> 1u] >> ((n276 & 1u) << 4u)) & 0xffffu);
let n460 = n459;
let n461 = (n458 * n460);
let n462 = n461;
let n463 = (n299 * n313);
let n464 = n32((n317[n278 >> 1u] >> ((n278 & 1u) << 4u)) & 0xffffu);
let n465 = n464;
let n466 = (n463 * n465);
let n467 = n466;
let n468 = (n302 * n313);
let n469 = n32((n317[n280 >> 1u] >> ((n280 & 1u) << 4u)) & 0xffffu);
let n470 = n469;
let n471 = (n468 * n470);
let n472 = n471;
let n473 = (n305 * n313);
let n474 = n32((n317[n282 >> 1u] >> ((n282 & 1u) << 4u)) & 0xffffu);
let n475 = n474;
let n476 = (n473 * n475);
let n477 = n476;
if (n9 && n272) {
n336[2u * n274] = n337(n462) | (n337(n467) << 16u);
n336[2u * n274 + 1u] = n337(n472) | (n337(n477) << 16u);
}
if (n7 == 0u && n9) {
n478[n10] = n313;
n479[n10] = n314;
}
}
// 2421d62d7a60
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
if (n3 < n7[0].y && (n4 + 0u) < n7[0].w) { let n8 = n1.n9 + n3 * n7[1].z + (n4 + 0u) * n7[1].w; n6.x = n10[n8]; }
if (n3 < n7[0].y && (n4 + 1u) < n7[0].w) { let n11 = n1.n9 + n3 * n7[1].z + (n4 + 1u) * n7[1].w; n6.y = n10[n11]; }
if (n3 < n7[0].y && (n4 + 2u) < n7[0].w) { let n12 = n1.n9 + n3 * n7[1].z + (n4 + 2u) * n7[1].w; n6.z = n10[n12]; }
if (n3 < n7[0].y && (n4 + 3u) < n7[0].w) { let n13 = n1.n9 + n3 * n7[1].z + (n4 + 3u) * n7[1].w; n6.w = n10[n13]; }
return n6;
}
// 24694c1b1031
const n0: u32 = 34u;
// 24f79dbac575
const n0: u32 = n1 * 4u;
// 2509cc1821c2
@group(0) @binding(2) var<storage, read> n0: array<vec2<u32>>;
// 255972679f8e
@group(0) @binding(3) var<storage, read_write> n0: array<vec4<f16>>;
// 26224ffb8184
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 3>;
// 26fe8b1f70f2
@group(0) @binding(6) var<storage, read> n0: array<vec4<f32>>;
// 27661e120668
const n0: u32 = 17u;
// 2771a2c04b9a
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 64u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 64u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 64u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n25[n15];
let n26 = n24.x;
let n27 = n24.y;
let n28 = n24.z;
let n29 = n24.w;
let n30 = n31(n26);
n13 = (n13 + n30);
let n32 = n31(n27);
n13 = (n13 + n32);
let n33 = n31(n28);
n13 = (n13 + n33);
let n34 = n31(n29);
n13 = (n13 + n34);
if (n9) {
n35[n15] = vec4<f32>(n30, n32, n33, n34);
}
}
let n36 = subgroupAdd(n13);
if (n3 % 32u == 0u) { n37[n3 / 32u] = n36; }
workgroupBarrier();
let n38 = (n3 - n7) / 32u;
var n39 = n37[n38];
for (var n40 = 1u; n40 < 2u; n40++) { n39 = (n39 + n37[n38 + n40]); }
let n41 = n39;
workgroupBarrier();
if (n7 == 0u && n9) {
n42[n10] = n41;
}
}
// 27a063ff5a72
@group(0) @binding(2) var<storage, read> n0: array<vec4<f32>>;
// 2817a061b80a
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 / n5[1].x;
let n17 = (n10 - n16 * n5[1].x) + n16 * n5[0].w + n14 * n5[1].w;
let n18 = n19((n20[n17 >> 1u] >> ((n17 & 1u) << 4u)) & 0xffffu);
let n21 = n18;
let n22 = n19((n23[n17 >> 1u] >> ((n17 & 1u) << 4u)) & 0xffffu);
let n24 = n22;
let n25 = n17 / n5[2].w;
let n26 = n25;
let n27 = n28[n26];
let n29 = (n24 * n27);
let n30 = (n21 * n29);
n13 = (n13 + n30);
}
let n31 = n13;
if (n7 == 0u && n9) {
n32[n10] = n31;
}
}
// 286c210cddad
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 9>;
// 28e3d00d2d61
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 5>;
// 29152adc999f
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15(n10);
let n16 = n15(n11);
let n17 = n15(n12);
let n18 = n15(n13);
n19[n1] = vec4<f32>(n14, n16, n17, n18);
}
// 29557a0c25ae
fn n0(x: f32, n1: f32) -> f32 {
return fma(n2(n1), -1.42860677e-6, fma(n1, -0.693145752, x));
}
// 29b960d4b8d5
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].w;
let n9 = n8 / n3[1].y;
let n10 = n9 / n3[0].w;
let n11 = (n4 - n8 * n3[1].w) + (n8 - n9 * n3[1].y) * n3[1].z + (n9 - n10 * n3[0].w) * n3[1].x + n10 * n3[0].z;
let n12 = n13[n11];
let n14 = (n4 % n3[3].x);
let n15 = n16[n14];
let n17 = (n12 * n15);
let n18 = n4 / n3[5].w;
let n19 = n18 / n3[5].y;
let n20 = n19 / n3[4].w;
let n21 = n20 / n3[4].y;
let n22 = (n4 - n18 * n3[5].w) + (n18 - n19 * n3[5].y) * n3[5].z + (n19 - n20 * n3[4].w) * n3[5].x + (n20 - n21 * n3[4].y) * n3[4].z + n21 * n3[4].x + n3[6].y;
let n23 = n13[n22];
let n24 = (n4 % n3[7].x);
let n25 = n26[n24];
let n27 = (n23 * n25);
let n28 = (n17 + n27);
let n29 = n5 / n3[1].w;
let n30 = n29 / n3[1].y;
let n31 = n30 / n3[0].w;
let n32 = (n5 - n29 * n3[1].w) + (n29 - n30 * n3[1].y) * n3[1].z + (n30 - n31 * n3[0].w) * n3[1].x + n31 * n3[0].z;
let n33 = n13[n32];
let n34 = (n5 % n3[3].x);
let n35 = n16[n34];
let n36 = (n33 * n35);
let n37 = n5 / n3[5].w;
let n38 = n37 / n3[5].y;
let n39 = n38 / n3[4].w;
let n40 = n39 / n3[4].y;
let n41 = (n5 - n37 * n3[5].w) + (n37 - n38 * n3[5].y) * n3[5].z + (n38 - n39 * n3[4].w) * n3[5].x + (n39 - n40 * n3[4].y) * n3[4].z + n40 * n3[4].x + n3[6].y;
let n42 = n13[n41];
let n43 = (n5 % n3[7].x);
let n44 = n26[n43];
let n45 = (n42 * n44);
let n46 = (n36 + n45);
let n47 = n6 / n3[1].w;
let n48 = n47 / n3[1].y;
let n49 = n48 / n3[0].w;
let n50 = (n6 - n47 * n3[1].w) + (n47 - n48 * n3[1].y) * n3[1].z + (n48 - n49 * n3[0].w) * n3[1].x + n49 * n3[0].z;
let n51 = n13[n50];
let n52 = (n6 % n3[3].x);
let n53 = n16[n52];
let n54 = (n51 * n53);
let n55 = n6 / n3[5].w;
let n56 = n55 / n3[5].y;
let n57 = n56 / n3[4].w;
let n58 = n57 / n3[4].y;
let n59 = (n6 - n55 * n3[5].w) + (n55 - n56 * n3[5].y) * n3[5].z + (n56 - n57 * n3[4].w) * n3[5].x + (n57 - n58 * n3[4].y) * n3[4].z + n58 * n3[4].x + n3[6].y;
let n60 = n13[n59];
let n61 = (n6 % n3[7].x);
let n62 = n26[n61];
let n63 = (n60 * n62);
let n64 = (n54 + n63);
let n65 = n7 / n3[1].w;
let n66 = n65 / n3[1].y;
let n67 = n66 / n3[0].w;
let n68 = (n7 - n65 * n3[1].w) + (n65 - n66 * n3[1].y) * n3[1].z + (n66 - n67 * n3[0].w) * n3[1].x + n67 * n3[0].z;
let n69 = n13[n68];
let n70 = (n7 % n3[3].x);
let n71 = n16[n70];
let n72 = (n69 * n71);
let n73 = n7 / n3[5].w;
let n74 = n73 / n3[5].y;
let n75 = n74 / n3[4].w;
let n76 = n75 / n3[4].y;
let n77 = (n7 - n73 * n3[5].w) + (n73 - n74 * n3[5].y) * n3[5].z + (n74 - n75 * n3[4].w) * n3[5].x + (n75 - n76 * n3[4].y) * n3[4].z + n76 * n3[4].x + n3[6].y;
let n78 = n13[n77];
let n79 = (n7 % n3[7].x);
let n80 = n26[n79];
let n81 = (n78 * n80);
let n82 = (n72 + n81);
n83[n1] = vec4<f32>(n28, n46, n64, n82);
}
// 29d5bd7b3ed6
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[2u * n19];
let n30 = n29[2u * n19 + 1u];
let n31 = n32((n28 >> 0u) & 0xffffu);
let n33 = n32((n28 >> 16u) & 0xffffu);
let n34 = n32((n30 >> 0u) & 0xffffu);
let n35 = n32((n30 >> 16u) & 0xffffu);
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n33;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n34;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n35;
let n43 = (n42 * n42);
n15 = (n15 + select(f32(0), n43, n17));
n44[n3] = n15;
workgroupBarrier();
for (var n45 = 128u; n45 > 0u; n45 >>= 1u) {
if (n7 < n45) { n44[n3] = (n44[n3] + n44[n3 + n45]); }
workgroupBarrier();
}
let n46 = n44[n3 - n7];
workgroupBarrier();
let n47 = n48(n46, n13);
let n49 = (n47 + n14);
let n50 = inverseSqrt(n49);
let n51 = (n36 * n50);
let n52 = n53[2u * n19];
let n54 = n53[2u * n19 + 1u];
let n55 = n32((n52 >> 0u) & 0xffffu);
let n56 = n32((n52 >> 16u) & 0xffffu);
let n57 = n32((n54 >> 0u) & 0xffffu);
let n58 = n32((n54 >> 16u) & 0xffffu);
let n59 = n55;
let n60 = (n51 * n59);
let n61 = n60;
let n62 = (n38 * n50);
let n63 = n56;
let n64 = (n62 * n63);
let n65 = n64;
let n66 = (n40 * n50);
let n67 = n57;
let n68 = (n66 * n67);
let n69 = n68;
let n70 = (n42 * n50);
let n71 = n58;
let n72 = (n70 * n71);
let n73 = n72;
if (n9 && n17) {
n74[2u * n19] = n75(n61) | (n75(n65) << 16u);
n74[2u * n19 + 1u] = n75(n69) | (n75(n73) << 16u);
}
}
// 2b3aa9b90a1a
const n0 = 128u;
// 2bab43a29edf
@group(0) @binding(4) var<storage, read> n0: array<vec4<f16>>;
// 2bd987b5c812
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = bitcast<f32>(n3[1].x);
n9[n1] = vec4<f32>(n8, n8, n8, n8);
}
// 2be4457cdd3c
@group(0) @binding(7) var<storage, read_write> n0: array<u32>;
// 2cae9a83d945
const n0: u32 = 1u;
// 2d1037896113
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = vec4<f32>(n9[n1]);
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15[n1];
let n16 = n14.x;
let n17 = n14.y;
let n18 = n14.z;
let n19 = n14.w;
n20[u32(n16)] = f16(n10);
if (4u * n1 + 1u <= n2) { n20[u32(n17)] = f16(n11);
}
if (4u * n1 + 2u <= n2) { n20[u32(n18)] = f16(n12);
}
if (4u * n1 + 3u <= n2) { n20[u32(n19)] = f16(n13);
}
}
// 2e27a006a872
const n0: u32 = 16u;
// 2e3156268ba4
fn n0(x: f32) -> f32 {
return 1.0 / (1.0 + n1(-x));
}
// 2e9630d3f35f
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[2].x;
n2.n4 += (n3 % n5[1].x) * n5[1].y;
n3 = n3 / n5[1].x;
}
{ var n3 = z;
n2.n6 = n5[9].w;
n2.n6 += (n3 % n5[2].y) * n5[2].w;
n3 = n3 / n5[2].y;
}
return n2;
}
// 2ea860eafc00
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[2u * n1];
let n5 = n4[2u * n1 + 1u];
let n6 = n7((n3 >> 0u) & 0xffffu);
let n8 = n7((n3 >> 16u) & 0xffffu);
let n9 = n7((n5 >> 0u) & 0xffffu);
let n10 = n7((n5 >> 16u) & 0xffffu);
let n11 = bitcast<f32>(n12[3].z);
let n13 = (n6 - n11);
let n14 = n2 + 1u;
let n15 = (n8 - n11);
let n16 = n2 + 2u;
let n17 = (n9 - n11);
let n18 = n2 + 3u;
let n19 = (n10 - n11);
return vec4<f32>(n7(n20(n13)), n7(n20(n15)), n7(n20(n17)), n7(n20(n19)));
}
// 2f67aa32d9b9
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[2u * n1];
let n10 = n9[2u * n1 + 1u];
let n11 = n12((n8 >> 0u) & 0xffffu);
let n13 = n12((n8 >> 16u) & 0xffffu);
let n14 = n12((n10 >> 0u) & 0xffffu);
let n15 = n12((n10 >> 16u) & 0xffffu);
let n16 = n17[n1];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
atomicAnd(&n22[u32(n18) >> 1u], ~(0xffffu << ((u32(n18) & 1u) << 4u))); atomicOr(&n22[u32(n18) >> 1u], n23(n11) << ((u32(n18) & 1u) << 4u));
if (4u * n1 + 1u <= n2) { atomicAnd(&n22[u32(n19) >> 1u], ~(0xffffu << ((u32(n19) & 1u) << 4u))); atomicOr(&n22[u32(n19) >> 1u], n23(n13) << ((u32(n19) & 1u) << 4u));
}
if (4u * n1 + 2u <= n2) { atomicAnd(&n22[u32(n20) >> 1u], ~(0xffffu << ((u32(n20) & 1u) << 4u))); atomicOr(&n22[u32(n20) >> 1u], n23(n14) << ((u32(n20) & 1u) << 4u));
}
if (4u * n1 + 3u <= n2) { atomicAnd(&n22[u32(n21) >> 1u], ~(0xffffu << ((u32(n21) & 1u) << 4u))); atomicOr(&n22[u32(n21) >> 1u], n23(n15) << ((u32(n21) & 1u) << 4u));
}
}
// 2fd1c1acbc34
@group(0) @binding(7) var<storage, read_write> n0: array<vec4<f32>>;
// 3047e8a2cf05
fn n0(n1: u32, n2: u32, n3: u32) {
for (var n4 = n3; n4 < n5 * n5 / 4u; n4 += n6) {
let n7 = n4 / (n5 / 4u);
n8[n1 + n7 * n9 + n4 % (n5 / 4u)] *= n10[(n2 + n7) / 4u][(n2 + n7) % 4u];
}
}
// 30ac573c96c9
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[1].w);
let n15 = (n10 * n14);
let n16 = bitcast<f32>(n3[2].x);
let n17 = (n15 + n16);
let n18 = (n17 * n14);
let n19 = (n18 + n16);
let n20 = (n19 * n14);
let n21 = (n20 + n16);
let n22 = (n21 * n14);
let n23 = (n22 + n16);
let n24 = (n23 * n14);
let n25 = (n24 + n16);
let n26 = (n25 * n14);
let n27 = (n26 + n16);
let n28 = (n27 * n14);
let n29 = (n28 + n16);
let n30 = (n29 * n14);
let n31 = (n30 + n16);
let n32 = (n31 * n14);
let n33 = (n32 + n16);
let n34 = (n33 * n14);
let n35 = (n34 + n16);
let n36 = (n35 * n14);
let n37 = (n36 + n16);
let n38 = (n37 * n14);
let n39 = (n38 + n16);
let n40 = (n39 * n14);
let n41 = (n40 + n16);
let n42 = (n41 * n14);
let n43 = (n42 + n16);
let n44 = (n43 * n14);
let n45 = (n44 + n16);
let n46 = (n45 * n14);
let n47 = (n46 + n16);
let n48 = (n47 * n14);
let n49 = (n48 + n16);
let n50 = (n49 * n14);
let n51 = (n50 + n16);
let n52 = (n51 * n14);
let n53 = (n52 + n16);
let n54 = (n53 * n14);
let n55 = (n54 + n16);
let n56 = (n55 * n14);
let n57 = (n56 + n16);
let n58 = (n57 * n14);
let n59 = (n58 + n16);
let n60 = (n59 * n14);
let n61 = (n60 + n16);
let n62 = (n61 * n14);
let n63 = (n62 + n16);
let n64 = (n63 * n14);
let n65 = (n64 + n16);
let n66 = (n65 * n14);
let n67 = (n66 + n16);
let n68 = (n67 * n14);
let n69 = (n68 + n16);
let n70 = (n69 * n14);
let n71 = (n70 + n16);
let n72 = (n71 * n14);
let n73 = (n72 + n16);
let n74 = (n73 * n14);
let n75 = (n74 + n16);
let n76 = (n75 * n14);
let n77 = (n76 + n16);
let n78 = (n77 * n14);
let n79 = (n78 + n16);
let n80 = (n11 * n14);
let n81 = (n80 + n16);
let n82 = (n81 * n14);
let n83 = (n82 + n16);
let n84 = (n83 * n14);
let n85 = (n84 + n16);
let n86 = (n85 * n14);
let n87 = (n86 + n16);
let n88 = (n87 * n14);
let n89 = (n88 + n16);
let n90 = (n89 * n14);
let n91 = (n90 + n16);
let n92 = (n91 * n14);
let n93 = (n92 + n16);
let n94 = (n93 * n14);
let n95 = (n94 + n16);
let n96 = (n95 * n14);
let n97 = (n96 + n16);
let n98 = (n97 * n14);
let n99 = (n98 + n16);
let n100 = (n99 * n14);
let n101 = (n100 + n16);
let n102 = (n101 * n14);
let n103 = (n102 + n16);
let n104 = (n103 * n14);
let n105 = (n104 + n16);
let n106 = (n105 * n14);
let n107 = (n106 + n16);
let n108 = (n107 * n14);
let n109 = (n108 + n16);
let n110 = (n109 * n14);
let n111 = (n110 + n16);
let n112 = (n111 * n14);
let n113 = (n112 + n16);
let n114 = (n113 * n14);
let n115 = (n114 + n16);
let n116 = (n115 * n14);
let n117 = (n116 + n16);
let n118 = (n117 * n14);
let n119 = (n118 + n16);
let n120 = (n119 * n14);
let n121 = (n120 + n16);
let n122 = (n121 * n14);
let n123 = (n122 + n16);
let n124 = (n123 * n14);
let n125 = (n124 + n16);
let n126 = (n125 * n14);
let n127 = (n126 + n16);
let n128 = (n127 * n14);
let n129 = (n128 + n16);
let n130 = (n129 * n14);
let n131 = (n130 + n16);
let n132 = (n131 * n14);
let n133 = (n132 + n16);
let n134 = (n133 * n14);
let n135 = (n134 + n16);
let n136 = (n135 * n14);
let n137 = (n136 + n16);
let n138 = (n137 * n14);
let n139 = (n138 + n16);
let n140 = (n139 * n14);
let n141 = (n140 + n16);
let n142 = (n141 * n14);
let n143 = (n142 + n16);
let n144 = (n12 * n14);
let n145 = (n144 + n16);
let n146 = (n145 * n14);
let n147 = (n146 + n16);
let n148 = (n147 * n14);
let n149 = (n148 + n16);
let n150 = (n149 * n14);
let n151 = (n150 + n16);
let n152 = (n151 * n14);
let n153 = (n152 + n16);
let n154 = (n153 * n14);
let n155 = (n154 + n16);
let n156 = (n155 * n14);
let n157 = (n156 + n16);
let n158 = (n157 * n14);
let n159 = (n158 + n16);
let n160 = (n159 * n14);
let n161 = (n160 + n16);
let n162 = (n161 * n14);
let n163 = (n162 + n16);
let n164 = (n163 * n14);
let n165 = (n164 + n16);
let n166 = (n165 * n14);
let n167 = (n166 + n16);
let n168 = (n167 * n14);
let n169 = (n168 + n16);
let n170 = (n169 * n14);
let n171 = (n170 + n16);
let n172 = (n171 * n14);
let n173 = (n172 + n16);
let n174 = (n173 * n14);
let n175 = (n174 + n16);
let n176 = (n175 * n14);
let n177 = (n176 + n16);
let n178 = (n177 * n14);
let n179 = (n178 + n16);
let n180 = (n179 * n14);
let n181 = (n180 + n16);
let n182 = (n181 * n14);
let n183 = (n182 + n16);
let n184 = (n183 * n14);
let n185 = (n184 + n16);
let n186 = (n185 * n14);
let n187 = (n186 + n16);
let n188 = (n187 * n14);
let n189 = (n188 + n16);
let n190 = (n189 * n14);
let n191 = (n190 + n16);
let n192 = (n191 * n14);
let n193 = (n192 + n16);
let n194 = (n193 * n14);
let n195 = (n194 + n16);
let n196 = (n195 * n14);
let n197 = (n196 + n16);
let n198 = (n197 * n14);
let n199 = (n198 + n16);
let n200 = (n199 * n14);
let n201 = (n200 + n16);
let n202 = (n201 * n14);
let n203 = (n202 + n16);
let n204 = (n203 * n14);
let n205 = (n204 + n16);
let n206 = (n205 * n14);
let n207 = (n206 + n16);
let n208 = (n13 * n14);
let n209 = (n208 + n16);
let n210 = (n209 * n14);
let n211 = (n210 + n16);
let n212 = (n211 * n14);
let n213 = (n212 + n16);
let n214 = (n213 * n14);
let n215 = (n214 + n16);
let n216 = (n215 * n14);
let n217 = (n216 + n16);
let n218 = (n217 * n14);
let n219 = (n218 + n16);
let n220 = (n219 * n14);
let n221 = (n220 + n16);
let n222 = (n221 * n14);
let n223 = (n222 + n16);
let n224 = (n223 * n14);
let n225 = (n224 + n16);
let n226 = (n225 * n14);
let n227 = (n226 + n16);
let n228 = (n227 * n14);
let n229 = (n228 + n16);
let n230 = (n229 * n14);
let n231 = (n230 + n16);
let n232 = (n231 * n14);
let n233 = (n232 + n16);
let n234 = (n233 * n14);
let n235 = (n234 + n16);
let n236 = (n235 * n14);
let n237 = (n236 + n16);
let n238 = (n237 * n14);
let n239 = (n238 + n16);
let n240 = (n239 * n14);
let n241 = (n240 + n16);
let n242 = (n241 * n14);
let n243 = (n242 + n16);
let n244 = (n243 * n14);
let n245 = (n244 + n16);
let n246 = (n245 * n14);
let n247 = (n246 + n16);
let n248 = (n247 * n14);
let n249 = (n248 + n16);
let n250 = (n249 * n14);
let n251 = (n250 + n16);
let n252 = (n251 * n14);
let n253 = (n252 + n16);
let n254 = (n253 * n14);
let n255 = (n254 + n16);
let n256 = (n255 * n14);
let n257 = (n256 + n16);
let n258 = (n257 * n14);
let n259 = (n258 + n16);
let n260 = (n259 * n14);
let n261 = (n260 + n16);
let n262 = (n261 * n14);
let n263 = (n262 + n16);
let n264 = (n263 * n14);
let n265 = (n264 + n16);
let n266 = (n265 * n14);
let n267 = (n266 + n16);
let n268 = (n267 * n14);
let n269 = (n268 + n16);
let n270 = (n269 * n14);
let n271 = (n270 + n16);
n272[n1] = vec4<f32>(n79, n143, n207, n271);
}
// 3101d54b7492
@group(0) @binding(1) var<storage, read_write> n0: array<atomic<u32>>;
// 311de64928ef
@group(0) @binding(5) var<storage, read> n0: array<u32>;
// 312f93e7b8b1
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
let n9 = n10(n7);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(vec4<f32>(n11, n12, n13, n14));
}
// 313804c91480
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[3].y);
let n17 = n18(n3.x, n16);
let n19 = n18(n3.y, n16);
let n20 = n18(n3.z, n16);
let n21 = n18(n3.w, n16);
n22[n7] = vec4<f32>(n17, n19, n20, n21);
}
// 318ddc363d1c
fn n0(n1: u32, n2: vec4<f32>) {
n3[n1] = vec2<u32>(n4(n2.xy), n4(n2.zw));
}
// 3208b27a4713
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 64u;
let n18 = n16 % 2u * 32u;
let n19 = (n2 / 16u);
let n20 = n2 % 16u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (8u * n25[1].x) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + (n6 + n27) * n25[2].x) >> 2u) + n28;
let n33 = (8u * n25[2].x) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = n35();
var n40 = n35();
var n41 = n35();
var n42 = n35();
var n43 = vec4<n44>();
var n45 = vec4<n44>();
var n46 = vec4<n44>();
var n47 = vec4<n44>();
var n48 = vec4<n44>();
var n49 = vec4<n44>();
var n50 = vec4<n44>();
var n51 = vec4<n44>();
var n52 = vec4<n44>();
var n53 = vec4<n44>();
var n54 = vec4<n44>();
var n55 = vec4<n44>();
var n56 = vec4<n44>();
var n57 = vec4<n44>();
var n58 = vec4<n44>();
var n59 = vec4<n44>();
var n60 = vec4<n44>();
var n61 = vec4<n44>();
var n62 = vec4<n44>();
var n63 = vec4<n44>();
var n64 = vec4<n44>();
var n65 = vec4<n44>();
var n66 = vec4<n44>();
var n67 = vec4<n44>();
{
let n68 = select(0u, 0u, 0u < n9);
let n69 = n23 + (n68 >> 2u);
n43 = n70[n69 + 0u * n26];
n45 = n70[n69 + 1u * n26];
n46 = n70[n69 + 2u * n26];
n47 = n70[n69 + 3u * n26];
n48 = n70[n69 + 4u * n26];
n49 = n70[n69 + 5u * n26];
n50 = n70[n69 + 6u * n26];
n51 = n70[n69 + 7u * n26];
n52 = n70[n69 + 8u * n26];
n53 = n70[n69 + 9u * n26];
n54 = n70[n69 + 10u * n26];
n55 = n70[n69 + 11u * n26];
n56 = n70[n69 + 12u * n26];
n57 = n70[n69 + 13u * n26];
n58 = n70[n69 + 14u * n26];
n59 = n70[n69 + 15u * n26];
let n71 = n31 + (n68 >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
}
for (var n73 = 0u; n73 < n9; n73 += 1u * n74) {
{
n75[n21 + (0u * 8u) * n22] = n43;
n75[n21 + (1u * 8u) * n22] = n45;
n75[n21 + (2u * 8u) * n22] = n46;
n75[n21 + (3u * 8u) * n22] = n47;
n75[n21 + (4u * 8u) * n22] = n48;
n75[n21 + (5u * 8u) * n22] = n49;
n75[n21 + (6u * 8u) * n22] = n50;
n75[n21 + (7u * 8u) * n22] = n51;
n75[n21 + (8u * 8u) * n22] = n52;
n75[n21 + (9u * 8u) * n22] = n53;
n75[n21 + (10u * 8u) * n22] = n54;
n75[n21 + (11u * 8u) * n22] = n55;
n75[n21 + (12u * 8u) * n22] = n56;
n75[n21 + (13u * 8u) * n22] = n57;
n75[n21 + (14u * 8u) * n22] = n58;
n75[n21 + (15u * 8u) * n22] = n59;
n76[n29 + (0u * 8u) * n30] = n60;
n76[n29 + (1u * 8u) * n30] = n61;
n76[n29 + (2u * 8u) * n30] = n62;
n76[n29 + (3u * 8u) * n30] = n63;
n76[n29 + (4u * 8u) * n30] = n64;
n76[n29 + (5u * 8u) * n30] = n65;
n76[n29 + (6u * 8u) * n30] = n66;
n76[n29 + (7u * 8u) * n30] = n67;
workgroupBarrier();
let n77 = n73 + 1u * n74;
let n68 = select(0u, n77, n77 < n9);
let n69 = n23 + (n68 >> 2u);
n43 = n70[n69 + 0u * n26];
n45 = n70[n69 + 1u * n26];
n46 = n70[n69 + 2u * n26];
n47 = n70[n69 + 3u * n26];
n48 = n70[n69 + 4u * n26];
n49 = n70[n69 + 5u * n26];
n50 = n70[n69 + 6u * n26];
n51 = n70[n69 + 7u * n26];
n52 = n70[n69 + 8u * n26];
n53 = n70[n69 + 9u * n26];
n54 = n70[n69 + 10u * n26];
n55 = n70[n69 + 11u * n26];
n56 = n70[n69 + 12u * n26];
n57 = n70[n69 + 13u * n26];
n58 = n70[n69 + 14u * n26];
n59 = n70[n69 + 15u * n26];
let n71 = n31 + (n68 >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n79(n17 + 32u, 0u);
let n82 = n79(n17 + 48u, 0u);
let n83 = n84(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n79(n17 + 32u, 16u);
let n82 = n79(n17 + 48u, 16u);
let n83 = n84(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 32u);
let n80 = n79(n17 + 16u, 32u);
let n81 = n79(n17 + 32u, 32u);
let n82 = n79(n17 + 48u, 32u);
let n83 = n84(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 48u);
let n80 = n79(n17 + 16u, 48u);
let n81 = n79(n17 + 32u, 48u);
let n82 = n79(n17 + 48u, 48u);
let n83 = n84(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
workgroupBarrier();
}
}
let n86 = n11 * n87 * n88;
let n89 = n86 + 0u;
coopStoreT(n34, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n36, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n37, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n38, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n39, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 32u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n40, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 32u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n41, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 48u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n42, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 48u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
}
// 321e12d22cd4
fn n0(n1: u32) -> vec4<f32> {
let w = n2[n1];
return vec4<f32>(unpack2x16float(w.x), unpack2x16float(w.y));
}
// 328332a73143
const n0: u32 = 5u;
// 32b0162299fe
fn n0(n1: f32) -> vec2<f32> {
if (n1 > 10000.0) {
return n2(n1);
}
let n3 = round(n1 * 0.636619772);
return vec2<f32>(fma(n3, -7.54978995e-8, fma(n4(n3), -0.000483751297, fma(n3, -1.5703125, n1))), n3);
}
// 32d747bd7e48
fn n0(n1: i32, n2: i32) -> i32 {
let n3 = select(n1, n1 + n2, n1 < 0);
if (n3 < 0 || n3 >= n2) {
n4(n1, n2);
return 0;
}
return n3;
}
// 33ca2851c689
@group(0) @binding(3) var<storage, read_write> n0: array<vec4<f32>>;
// 345b02b04fbd
@group(0) @binding(6) var<storage, read_write> n0: array<vec4<f32>>;
// 34c4a21d1bb8
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 64u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 64u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n39[n3 / 32u] = n38; }
workgroupBarrier();
let n40 = (n3 - n7) / 32u;
var n41 = n39[n40];
for (var n42 = 1u; n42 < 2u; n42++) { n41 = (n41 + n39[n40 + n42]); }
let n43 = n41;
workgroupBarrier();
let n44 = n45(n43, n13);
let n46 = (n44 + n14);
let n47 = inverseSqrt(n46);
let n48 = (n30 * n47);
let n49 = n50[n21];
let n51 = (n48 * n49);
let n52 = (n31 * n47);
let n53 = n50[n23];
let n54 = (n52 * n53);
let n55 = (n32 * n47);
let n56 = n50[n25];
let n57 = (n55 * n56);
let n58 = (n33 * n47);
let n59 = n50[n27];
let n60 = (n58 * n59);
if (n9 && n17) {
n61[n19] = vec4<f32>(n51, n54, n57, n60);
}
}
// 34c9a95a3f3f
@group(0) @binding(8) var<storage, read_write> n0: array<vec4<f32>>;
// 352d26280335
@group(0) @binding(12) var<storage, read> n0: array<f32>;
// 352f6b07f2c2
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[5].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[5].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n9];
let n18 = (n3.x + n16);
let n19 = n17[n11];
let n20 = (n3.y + n19);
let n21 = n17[n13];
let n22 = (n3.z + n21);
let n23 = n17[n15];
let n24 = (n3.w + n23);
n25[n7] = vec4<f32>(n18, n20, n22, n24);
}
// 35ccf6036828
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = n30;
let n35 = (n34 * n34);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n32;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n33;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n7 + 32u;
let n43 = n42 < n11;
let n44 = min(n42, n11 - 1u);
let n45 = n12 + n44;
let n46 = 4u * n45 + 0u;
let n47 = 4u * n44 + 0u;
let n48 = 4u * n45 + 1u;
let n49 = 4u * n44 + 1u;
let n50 = 4u * n45 + 2u;
let n51 = 4u * n44 + 2u;
let n52 = 4u * n45 + 3u;
let n53 = 4u * n44 + 3u;
let n54 = vec4<f32>(n29[n45]);
let n55 = n54.x;
let n56 = n54.y;
let n57 = n54.z;
let n58 = n54.w;
let n59 = n55;
let n60 = (n59 * n59);
n15 = (n15 + select(f32(0), n60, n43));
let n61 = n56;
let n62 = (n61 * n61);
n15 = (n15 + select(f32(0), n62, n43));
let n63 = n57;
let n64 = (n63 * n63);
n15 = (n15 + select(f32(0), n64, n43));
let n65 = n58;
let n66 = (n65 * n65);
n15 = (n15 + select(f32(0), n66, n43));
let n67 = n7 + 64u;
let n68 = n67 < n11;
let n69 = min(n67, n11 - 1u);
let n70 = n12 + n69;
let n71 = 4u * n70 + 0u;
let n72 = 4u * n69 + 0u;
let n73 = 4u * n70 + 1u;
let n74 = 4u * n69 + 1u;
let n75 = 4u * n70 + 2u;
let n76 = 4u * n69 + 2u;
let n77 = 4u * n70 + 3u;
let n78 = 4u * n69 + 3u;
let n79 = vec4<f32>(n29[n70]);
let n80 = n79.x;
let n81 = n79.y;
let n82 = n79.z;
let n83 = n79.w;
let n84 = n80;
let n85 = (n84 * n84);
n15 = (n15 + select(f32(0), n85, n68));
let n86 = n81;
let n87 = (n86 * n86);
n15 = (n15 + select(f32(0), n87, n68));
let n88 = n82;
let n89 = (n88 * n88);
n15 = (n15 + select(f32(0), n89, n68));
let n90 = n83;
let n91 = (n90 * n90);
n15 = (n15 + select(f32(0), n91, n68));
let n92 = n7 + 96u;
let n93 = n92 < n11;
let n94 = min(n92, n11 - 1u);
let n95 = n12 + n94;
let n96 = 4u * n95 + 0u;
let n97 = 4u * n94 + 0u;
let n98 = 4u * n95 + 1u;
let n99 = 4u * n94 + 1u;
let n100 = 4u * n95 + 2u;
let n101 = 4u * n94 + 2u;
let n102 = 4u * n95 + 3u;
let n103 = 4u * n94 + 3u;
let n104 = vec4<f32>(n29[n95]);
let n105 = n104.x;
let n106 = n104.y;
let n107 = n104.z;
let n108 = n104.w;
let n109 = n105;
let n110 = (n109 * n109);
n15 = (n15 + select(f32(0), n110, n93));
let n111 = n106;
let n112 = (n111 * n111);
n15 = (n15 + select(f32(0), n112, n93));
let n113 = n107;
let n114 = (n113 * n113);
n15 = (n15 + select(f32(0), n114, n93));
let n115 = n108;
let n116 = (n115 * n115);
n15 = (n15 + select(f32(0), n116, n93));
let n117 = n7 + 128u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = vec4<f32>(n29[n120]);
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
let n134 = n130;
let n135 = (n134 * n134);
n15 = (n15 + select(f32(0), n135, n118));
let n136 = n131;
let n137 = (n136 * n136);
n15 = (n15 + select(f32(0), n137, n118));
let n138 = n132;
let n139 = (n138 * n138);
n15 = (n15 + select(f32(0), n139, n118));
let n140 = n133;
let n141 = (n140 * n140);
n15 = (n15 + select(f32(0), n141, n118));
let n142 = n7 + 160u;
let n143 = n142 < n11;
let n144 = min(n142, n11 - 1u);
let n145 = n12 + n144;
let n146 = 4u * n145 + 0u;
let n147 = 4u * n144 + 0u;
let n148 = 4u * n145 + 1u;
let n149 = 4u * n144 + 1u;
let n150 = 4u * n145 + 2u;
let n151 = 4u * n144 + 2u;
let n152 = 4u * n145 + 3u;
let n153 = 4u * n144 + 3u;
let n154 = vec4<f32>(n29[n145]);
let n155 = n154.x;
let n156 = n154.y;
let n157 = n154.z;
let n158 = n154.w;
let n159 = n155;
let n160 = (n159 * n159);
n15 = (n15 + select(f32(0), n160, n143));
let n161 = n156;
let n162 = (n161 * n161);
n15 = (n15 + select(f32(0), n162, n143));
let n163 = n157;
let n164 = (n163 * n163);
n15 = (n15 + select(f32(0), n164, n143));
let n165 = n158;
let n166 = (n165 * n165);
n15 = (n15 + select(f32(0), n166, n143));
let n167 = n7 + 192u;
let n168 = n167 < n11;
let n169 = min(n167, n11 - 1u);
let n170 = n12 + n169;
let n171 = 4u * n170 + 0u;
let n172 = 4u * n169 + 0u;
let n173 = 4u * n170 + 1u;
let n174 = 4u * n169 + 1u;
let n175 = 4u * n170 + 2u;
let n176 = 4u * n169 + 2u;
let n177 = 4u * n170 + 3u;
let n178 = 4u * n169 + 3u;
let n179 = vec4<f32>(n29[n170]);
let n180 = n179.x;
let n181 = n179.y;
let n182 = n179.z;
let n183 = n179.w;
let n184 = n180;
let n185 = (n184 * n184);
n15 = (n15 + select(f32(0), n185, n168));
let n186 = n181;
let n187 = (n186 * n186);
n15 = (n15 + select(f32(0), n187, n168));
let n188 = n182;
let n189 = (n188 * n188);
n15 = (n15 + select(f32(0), n189, n168));
let n190 = n183;
let n191 = (n190 * n190);
n15 = (n15 + select(f32(0), n191, n168));
let n192 = n7 + 224u;
let n193 = n192 < n11;
let n194 = min(n192, n11 - 1u);
let n195 = n12 + n194;
let n196 = 4u * n195 + 0u;
let n197 = 4u * n194 + 0u;
let n198 = 4u * n195 + 1u;
let n199 = 4u * n194 + 1u;
let n200 = 4u * n195 + 2u;
let n201 = 4u * n194 + 2u;
let n202 = 4u * n195 + 3u;
let n203 = 4u * n194 + 3u;
let n204 = vec4<f32>(n29[n195]);
let n205 = n204.x;
let n206 = n204.y;
let n207 = n204.z;
let n208 = n204.w;
let n209 = n205;
let n210 = (n209 * n209);
n15 = (n15 + select(f32(0), n210, n193));
let n211 = n206;
let n212 = (n211 * n211);
n15 = (n15 + select(f32(0), n212, n193));
let n213 = n207;
let n214 = (n213 * n213);
n15 = (n15 + select(f32(0), n214, n193));
let n215 = n208;
let n216 = (n215 * n215);
n15 = (n15 + select(f32(0), n216, n193));
n217[n3] = n15;
workgroupBarrier();
for (var n218 = 16u; n218 > 0u; n218 >>= 1u) {
if (n7 < n218) { n217[n3] = (n217[n3] + n217[n3 + n218]); }
workgroupBarrier();
}
let n219 = n217[n3 - n7];
workgroupBarrier();
let n220 = n221(n219, n13);
let n222 = (n220 + n14);
let n223 = inverseSqrt(n222);
let n224 = (n34 * n223);
let n225 = f32(n226[n21]);
let n227 = n225;
let n228 = (n224 * n227);
let n229 = n228;
let n230 = (n36 * n223);
let n231 = f32(n226[n23]);
let n232 = n231;
let n233 = (n230 * n232);
let n234 = n233;
let n235 = (n38 * n223);
let n236 = f32(n226[n25]);
let n237 = n236;
let n238 = (n235 * n237);
let n239 = n238;
let n240 = (n40 * n223);
let n241 = f32(n226[n27]);
let n242 = n241;
let n243 = (n240 * n242);
let n244 = n243;
if (n9 && n17) {
n245[n19] = vec4<f16>(vec4<f32>(n229, n234, n239, n244));
}
let n246 = (n59 * n223);
let n247 = f32(n226[n47]);
let n248 = n247;
let n249 = (n246 * n248);
let n250 = n249;
let n251 = (n61 * n223);
let n252 = f32(n226[n49]);
let n253 = n252;
let n254 = (n251 * n253);
let n255 = n254;
let n256 = (n63 * n223);
let n257 = f32(n226[n51]);
let n258 = n257;
let n259 = (n256 * n258);
let n260 = n259;
let n261 = (n65 * n223);
let n262 = f32(n226[n53]);
let n263 = n262;
let n264 = (n261 * n263);
let n265 = n264;
if (n9 && n43) {
n245[n45] = vec4<f16>(vec4<f32>(n250, n255, n260, n265));
}
let n266 = (n84 * n223);
let n267 = f32(n226[n72]);
let n268 = n267;
let n269 = (n266 * n268);
let n270 = n269;
let n271 = (n86 * n223);
let n272 = f32(n226[n74]);
let n273 = n272;
let n274 = (n271 * n273);
let n275 = n274;
let n276 = (n88 * n223);
let n277 = f32(n226[n76]);
let n278 = n277;
let n279 = (n276 * n278);
let n280 = n279;
let n281 = (n90 * n223);
let n282 = f32(n226[n78]);
let n283 = n282;
let n284 = (n281 * n283);
let n285 = n284;
if (n9 && n68) {
n245[n70] = vec4<f16>(vec4<f32>(n270, n275, n280, n285));
}
let n286 = (n109 * n223);
let n287 = f32(n226[n97]);
let n288 = n287;
let n289 = (n286 * n288);
let n290 = n289;
let n291 = (n111 * n223);
let n292 = f32(n226[n99]);
let n293 = n292;
let n294 = (n291 * n293);
let n295 = n294;
let n296 = (n113 * n223);
let n297 = f32(n226[n101]);
let n298 = n297;
let n299 = (n296 * n298);
let n300 = n299;
let n301 = (n115 * n223);
let n302 = f32(n226[n103]);
let n303 = n302;
let n304 = (n301 * n303);
let n305 = n304;
if (n9 && n93) {
n245[n95] = vec4<f16>(vec4<f32>(n290, n295, n300, n305));
}
let n306 = (n134 * n223);
let n307 = f32(n226[n122]);
let n308 = n307;
let n309 = (n306 * n308);
let n310 = n309;
let n311 = (n136 * n223);
let n312 = f32(n226[n124]);
let n313 = n312;
let n314 = (n311 * n313);
let n315 = n314;
let n316 = (n138 * n223);
let n317 = f32(n226[n126]);
let n318 = n317;
let n319 = (n316 * n318);
let n320 = n319;
let n321 = (n140 * n223);
let n322 = f32(n226[n128]);
let n323 = n322;
let n324 = (n321 * n323);
let n325 = n324;
if (n9 && n118) {
n245[n120] = vec4<f16>(vec4<f32>(n310, n315, n320, n325));
}
let n326 = (n159 * n223);
let n327 = f32(n226[n147]);
let n328 = n327;
let n329 = (n326 * n328);
let n330 = n329;
let n331 = (n161 * n223);
let n332 = f32(n226[n149]);
let n333 = n332;
let n334 = (n331 * n333);
let n335 = n334;
let n336 = (n163 * n223);
let n337 = f32(n226[n151]);
let n338 = n337;
let n339 = (n336 * n338);
let n340 = n339;
let n341 = (n165 * n223);
let n342 = f32(n226[n153]);
let n343 = n342;
let n344 = (n341 * n343);
let n345 = n344;
if (n9 && n143) {
n245[n145] = vec4<f16>(vec4<f32>(n330, n335, n340, n345));
}
let n346 = (n184 * n223);
let n347 = f32(n226[n172]);
let n348 = n347;
let n349 = (n346 * n348);
let n350 = n349;
let n351 = (n186 * n223);
let n352 = f32(n226[n174]);
let n353 = n352;
let n354 = (n351 * n353);
let n355 = n354;
let n356 = (n188 * n223);
let n357 = f32(n226[n176]);
let n358 = n357;
let n359 = (n356 * n358);
let n360 = n359;
let n361 = (n190 * n223);
let n362 = f32(n226[n178]);
let n363 = n362;
let n364 = (n361 * n363);
let n365 = n364;
if (n9 && n168) {
n245[n170] = vec4<f16>(vec4<f32>(n350, n355, n360, n365));
}
let n366 = (n209 * n223);
let n367 = f32(n226[n197]);
let n368 = n367;
let n369 = (n366 * n368);
let n370 = n369;
let n371 = (n211 * n223);
let n372 = f32(n226[n199]);
let n373 = n372;
let n374 = (n371 * n373);
let n375 = n374;
let n376 = (n213 * n223);
let n377 = f32(n226[n201]);
let n378 = n377;
let n379 = (n376 * n378);
let n380 = n379;
let n381 = (n215 * n223);
let n382 = f32(n226[n203]);
let n383 = n382;
let n384 = (n381 * n383);
let n385 = n384;
if (n9 && n193) {
n245[n195] = vec4<f16>(vec4<f32>(n370, n375, n380, n385));
}
}
// 364e0e318888
@group(0) @binding(4) var<storage, read_write> n0: array<vec4<f32>>;
// 37c24dd23e35
fn n0(n1: f32) -> f32 {
let z = n1 * n1;
return fma(z * z, fma(fma(2.44256789e-5, z, -0.00138872513), z, 0.0416666456), fma(z, -0.5, 1.0));
}
// 37ee2240172e
const n0 = 1u;
// 37fd085e42e2
const n0 = 256u;
// 3847833da4ec
@group(0) @binding(1) var<storage, read> n0: array<f16>;
// 392404d6e57f
struct n0 {
n1: u32,
n2: u32,
}
// 39320e2ec82c
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[n1];
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = bitcast<f32>(n10[3].z);
let n11 = (n5 + n9);
let n12 = n2 + 1u;
let n13 = (n6 + n9);
let n14 = n2 + 2u;
let n15 = (n7 + n9);
let n16 = n2 + 3u;
let n17 = (n8 + n9);
return vec4<f32>(n11, n13, n15, n17);
}
// 394fd261fa6d
@group(0) @binding(2) var<storage, read> n0: array<vec4<f16>>;
// 396005fb074d
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
let n6 = u32((f32(n3) + 0.5) * bitcast<f32>(n7[6].y));
let n8 = n3 - n6 * n7[6].x;
let n9 = n1.n10 + n8 * n7[6].z + n6 * n7[5].y;
let n11 = n1.n12 + n6;
let n13 = n1.n14 + n8;
let n15 = n9 + n4;
let n16 = n11;
let n17 = n13;
if (!(n3 < n7[0].y && n4 < n7[0].w && n16 < n7[9].x && n17 < n7[9].z)) { return vec4<n5>(); }
let n18 = n15 >> 2u;
let n19 = n20[n18];
let n21 = n19.x;
let n22 = n19.y;
let n23 = n19.z;
let n24 = n19.w;
return vec4<n5>(n21, n22, n23, n24);
}
// 39d556b72668
fn n0(n1: u32, n2: u32) -> u32 {
return n3.n4 + n1 * n3.n5.x + n2 * n3.n5.y;
}
// 3a262111c2af
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
return n9[n7];
}
// 3a2912910cf8
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = vec4<f32>(n4[n1]);
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = bitcast<f32>(n10[3].z);
let n11 = (n5 * n9);
let n12 = n2 + 1u;
let n13 = (n6 * n9);
let n14 = n2 + 2u;
let n15 = (n7 * n9);
let n16 = n2 + 3u;
let n17 = (n8 * n9);
return vec4<f32>(n11, n13, n15, n17);
}
// 3aa41d26f6da
alias n0 = n1;
// 3af189813289
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 7>;
// 3b208202077f
@group(0) @binding(3) var<storage, read> n0: array<vec2<u32>>;
// 3beaf0ad7f12
const n0: u32 = 4u;
// 3bfdb8370fd3
fn n0(n1: u32, n2: vec2<u32>, n3: u32, n4: u32, n5: u32) -> vec4<f32> {
return n6(n7(n2.y, n3, n4) + n5);
}
// 3c559e5b8ec3
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15[n1];
let n16 = n14.x;
let n17 = n14.y;
let n18 = n14.z;
let n19 = n14.w;
let n20 = (n10 * n16);
let n21 = (n4 % n3[0].w);
let n22 = n23[n21];
let n24 = (n20 + n22);
let n25 = bitcast<f32>(n3[3].w);
let n26 = (n24 * n25);
let n27 = bitcast<f32>(n3[4].x);
let n28 = (n24 * n27);
let n29 = n30(n28);
let n31 = bitcast<f32>(n3[4].y);
let n32 = (n29 + n31);
let n33 = (n26 * n32);
let n34 = (n11 * n17);
let n35 = (n5 % n3[0].w);
let n36 = n23[n35];
let n37 = (n34 + n36);
let n38 = (n37 * n25);
let n39 = (n37 * n27);
let n40 = n30(n39);
let n41 = (n40 + n31);
let n42 = (n38 * n41);
let n43 = (n12 * n18);
let n44 = (n6 % n3[0].w);
let n45 = n23[n44];
let n46 = (n43 + n45);
let n47 = (n46 * n25);
let n48 = (n46 * n27);
let n49 = n30(n48);
let n50 = (n49 + n31);
let n51 = (n47 * n50);
let n52 = (n13 * n19);
let n53 = (n7 % n3[0].w);
let n54 = n23[n53];
let n55 = (n52 + n54);
let n56 = (n55 * n25);
let n57 = (n55 * n27);
let n58 = n30(n57);
let n59 = (n58 + n31);
let n60 = (n56 * n59);
n61[n1] = vec4<f32>(n33, n42, n51, n60);
}
// 3c6c6fcd6be9
fn n0(n1: u32) -> u32 { return u32(clamp(n2[n1], 0, i32(n3.n4))); }
// 3d1de5af6bc5
fn n0(x: f32) -> bool {
return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}
// 3d4335d6a90d
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n9];
let n18 = (n3.x + n16);
let n19 = n17[n11];
let n20 = (n3.y + n19);
let n21 = n17[n13];
let n22 = (n3.z + n21);
let n23 = n17[n15];
let n24 = (n3.w + n23);
n25[n7] = vec4<f32>(n18, n20, n22, n24);
}
// 3d587d9c59d1
fn n0(x: f32) -> f32 {
let n1 = n2(abs(x));
let n3 = (u32(n1.y) & 1u) == 1u;
let n4 = n5(n1.x);
let n6 = n7(n1.x);
let n8 = select(n4, -n6, n3) / select(n6, n4, n3);
return select(n9(), bitcast<f32>(bitcast<u32>(n8) ^ (bitcast<u32>(x) & 0x80000000u)), n10(x));
}
// 3e0021d1a026
@group(0) @binding(0) var<storage, read> n0: array<vec4<i32>>;
// 3e0e3151f5b3
alias n0 = coop_mat16x16<f16, B>;
// 3e530ffa0a3e
@group(0) @binding(10) var<uniform> n0: array<vec4<u32>, 12>;
// 3eb0c702e9d3
fn n0(n1: u32) {
let n2 = n3[7].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4;
let n9 = n10((n11[n8 >> 1u] >> ((n8 & 1u) << 4u)) & 0xffffu);
let n12 = n9;
let n13 = (n4 % n3[8].z);
let n14 = n15[n13];
let n16 = (n12 * n14);
let n17 = n4 / n3[10].y;
let n18 = n17 / n3[9].w;
let n19 = (n4 - n17 * n3[10].y) + (n17 - n18 * n3[9].w) * n3[10].x + n18 * n3[9].z + n3[10].w;
let n20 = n19;
let n21 = n10((n11[n20 >> 1u] >> ((n20 & 1u) << 4u)) & 0xffffu);
let n22 = n21;
let n23 = (n4 % n3[12].y);
let n24 = n25[n23];
let n26 = (n22 * n24);
let n27 = (n16 + n26);
let n28 = n27;
let n29 = n5;
let n30 = n10((n11[n29 >> 1u] >> ((n29 & 1u) << 4u)) & 0xffffu);
let n31 = n30;
let n32 = (n5 % n3[8].z);
let n33 = n15[n32];
let n34 = (n31 * n33);
let n35 = n5 / n3[10].y;
let n36 = n35 / n3[9].w;
let n37 = (n5 - n35 * n3[10].y) + (n35 - n36 * n3[9].w) * n3[10].x + n36 * n3[9].z + n3[10].w;
let n38 = n37;
let n39 = n10((n11[n38 >> 1u] >> ((n38 & 1u) << 4u)) & 0xffffu);
let n40 = n39;
let n41 = (n5 % n3[12].y);
let n42 = n25[n41];
let n43 = (n40 * n42);
let n44 = (n34 + n43);
let n45 = n44;
let n46 = n6;
let n47 = n10((n11[n46 >> 1u] >> ((n46 & 1u) << 4u)) & 0xffffu);
let n48 = n47;
let n49 = (n6 % n3[8].z);
let n50 = n15[n49];
let n51 = (n48 * n50);
let n52 = n6 / n3[10].y;
let n53 = n52 / n3[9].w;
let n54 = (n6 - n52 * n3[10].y) + (n52 - n53 * n3[9].w) * n3[10].x + n53 * n3[9].z + n3[10].w;
let n55 = n54;
let n56 = n10((n11[n55 >> 1u] >> ((n55 & 1u) << 4u)) & 0xffffu);
let n57 = n56;
let n58 = (n6 % n3[12].y);
let n59 = n25[n58];
let n60 = (n57 * n59);
let n61 = (n51 + n60);
let n62 = n61;
let n63 = n7;
let n64 = n10((n11[n63 >> 1u] >> ((n63 & 1u) << 4u)) & 0xffffu);
let n65 = n64;
let n66 = (n7 % n3[8].z);
let n67 = n15[n66];
let n68 = (n65 * n67);
let n69 = n7 / n3[10].y;
let n70 = n69 / n3[9].w;
let n71 = (n7 - n69 * n3[10].y) + (n69 - n70 * n3[9].w) * n3[10].x + n70 * n3[9].z + n3[10].w;
let n72 = n71;
let n73 = n10((n11[n72 >> 1u] >> ((n72 & 1u) << 4u)) & 0xffffu);
let n74 = n73;
let n75 = (n7 % n3[12].y);
let n76 = n25[n75];
let n77 = (n74 * n76);
let n78 = (n68 + n77);
let n79 = n78;
n80[2u * n1] = n81(n28) | (n81(n45) << 16u);
n80[2u * n1 + 1u] = n81(n62) | (n81(n79) << 16u);
}
// 3f890f70b32b
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
let n32 = n7 + 128u;
let n33 = n32 < n11;
let n34 = min(n32, n11 - 1u);
let n35 = n12 + n34;
let n36 = 4u * n35 + 0u;
let n37 = 4u * n34 + 0u;
let n38 = 4u * n35 + 1u;
let n39 = 4u * n34 + 1u;
let n40 = 4u * n35 + 2u;
let n41 = 4u * n34 + 2u;
let n42 = 4u * n35 + 3u;
let n43 = 4u * n34 + 3u;
let n44 = n27[n35];
let n45 = n44.x;
let n46 = n44.y;
let n47 = n44.z;
let n48 = n44.w;
n13 = (n13 + select(f32(0), n45, n33));
n13 = (n13 + select(f32(0), n46, n33));
n13 = (n13 + select(f32(0), n47, n33));
n13 = (n13 + select(f32(0), n48, n33));
let n49 = n7 + 256u;
let n50 = n49 < n11;
let n51 = min(n49, n11 - 1u);
let n52 = n12 + n51;
let n53 = 4u * n52 + 0u;
let n54 = 4u * n51 + 0u;
let n55 = 4u * n52 + 1u;
let n56 = 4u * n51 + 1u;
let n57 = 4u * n52 + 2u;
let n58 = 4u * n51 + 2u;
let n59 = 4u * n52 + 3u;
let n60 = 4u * n51 + 3u;
let n61 = n27[n52];
let n62 = n61.x;
let n63 = n61.y;
let n64 = n61.z;
let n65 = n61.w;
n13 = (n13 + select(f32(0), n62, n50));
n13 = (n13 + select(f32(0), n63, n50));
n13 = (n13 + select(f32(0), n64, n50));
n13 = (n13 + select(f32(0), n65, n50));
let n66 = n7 + 384u;
let n67 = n66 < n11;
let n68 = min(n66, n11 - 1u);
let n69 = n12 + n68;
let n70 = 4u * n69 + 0u;
let n71 = 4u * n68 + 0u;
let n72 = 4u * n69 + 1u;
let n73 = 4u * n68 + 1u;
let n74 = 4u * n69 + 2u;
let n75 = 4u * n68 + 2u;
let n76 = 4u * n69 + 3u;
let n77 = 4u * n68 + 3u;
let n78 = n27[n69];
let n79 = n78.x;
let n80 = n78.y;
let n81 = n78.z;
let n82 = n78.w;
n13 = (n13 + select(f32(0), n79, n67));
n13 = (n13 + select(f32(0), n80, n67));
n13 = (n13 + select(f32(0), n81, n67));
n13 = (n13 + select(f32(0), n82, n67));
let n83 = n7 + 512u;
let n84 = n83 < n11;
let n85 = min(n83, n11 - 1u);
let n86 = n12 + n85;
let n87 = 4u * n86 + 0u;
let n88 = 4u * n85 + 0u;
let n89 = 4u * n86 + 1u;
let n90 = 4u * n85 + 1u;
let n91 = 4u * n86 + 2u;
let n92 = 4u * n85 + 2u;
let n93 = 4u * n86 + 3u;
let n94 = 4u * n85 + 3u;
let n95 = n27[n86];
let n96 = n95.x;
let n97 = n95.y;
let n98 = n95.z;
let n99 = n95.w;
n13 = (n13 + select(f32(0), n96, n84));
n13 = (n13 + select(f32(0), n97, n84));
n13 = (n13 + select(f32(0), n98, n84));
n13 = (n13 + select(f32(0), n99, n84));
let n100 = n7 + 640u;
let n101 = n100 < n11;
let n102 = min(n100, n11 - 1u);
let n103 = n12 + n102;
let n104 = 4u * n103 + 0u;
let n105 = 4u * n102 + 0u;
let n106 = 4u * n103 + 1u;
let n107 = 4u * n102 + 1u;
let n108 = 4u * n103 + 2u;
let n109 = 4u * n102 + 2u;
let n110 = 4u * n103 + 3u;
let n111 = 4u * n102 + 3u;
let n112 = n27[n103];
let n113 = n112.x;
let n114 = n112.y;
let n115 = n112.z;
let n116 = n112.w;
n13 = (n13 + select(f32(0), n113, n101));
n13 = (n13 + select(f32(0), n114, n101));
n13 = (n13 + select(f32(0), n115, n101));
n13 = (n13 + select(f32(0), n116, n101));
let n117 = n7 + 768u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = n27[n120];
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
n13 = (n13 + select(f32(0), n130, n118));
n13 = (n13 + select(f32(0), n131, n118));
n13 = (n13 + select(f32(0), n132, n118));
n13 = (n13 + select(f32(0), n133, n118));
let n134 = n7 + 896u;
let n135 = n134 < n11;
let n136 = min(n134, n11 - 1u);
let n137 = n12 + n136;
let n138 = 4u * n137 + 0u;
let n139 = 4u * n136 + 0u;
let n140 = 4u * n137 + 1u;
let n141 = 4u * n136 + 1u;
let n142 = 4u * n137 + 2u;
let n143 = 4u * n136 + 2u;
let n144 = 4u * n137 + 3u;
let n145 = 4u * n136 + 3u;
let n146 = n27[n137];
let n147 = n146.x;
let n148 = n146.y;
let n149 = n146.z;
let n150 = n146.w;
n13 = (n13 + select(f32(0), n147, n135));
n13 = (n13 + select(f32(0), n148, n135));
n13 = (n13 + select(f32(0), n149, n135));
n13 = (n13 + select(f32(0), n150, n135));
let n151 = subgroupAdd(n13);
if (n3 % 32u == 0u) { n152[n3 / 32u] = n151; }
workgroupBarrier();
let n153 = (n3 - n7) / 32u;
var n154 = n152[n153];
for (var n155 = 1u; n155 < 4u; n155++) { n154 = (n154 + n152[n153 + n155]); }
let n156 = n154;
workgroupBarrier();
if (n7 == 0u && n9) {
n157[n10] = n156;
}
}
// 4063ae6bb52b
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = f32(n9[n4]);
let n10 = n8;
let n11 = (n4 % n3[0].w);
let n12 = n13[n11];
let n14 = (n10 * n12);
let n15 = n4 / n3[2].z;
let n16 = n15 / n3[2].x;
let n17 = (n4 - n15 * n3[2].z) + (n15 - n16 * n3[2].x) * n3[2].y + n16 * n3[1].w + n3[3].x;
let n18 = f32(n9[n17]);
let n19 = n18;
let n20 = (n4 % n3[3].w);
let n21 = n22[n20];
let n23 = (n19 * n21);
let n24 = (n14 + n23);
let n25 = n24;
let n26 = f32(n9[n5]);
let n27 = n26;
let n28 = (n5 % n3[0].w);
let n29 = n13[n28];
let n30 = (n27 * n29);
let n31 = n5 / n3[2].z;
let n32 = n31 / n3[2].x;
let n33 = (n5 - n31 * n3[2].z) + (n31 - n32 * n3[2].x) * n3[2].y + n32 * n3[1].w + n3[3].x;
let n34 = f32(n9[n33]);
let n35 = n34;
let n36 = (n5 % n3[3].w);
let n37 = n22[n36];
let n38 = (n35 * n37);
let n39 = (n30 + n38);
let n40 = n39;
let n41 = f32(n9[n6]);
let n42 = n41;
let n43 = (n6 % n3[0].w);
let n44 = n13[n43];
let n45 = (n42 * n44);
let n46 = n6 / n3[2].z;
let n47 = n46 / n3[2].x;
let n48 = (n6 - n46 * n3[2].z) + (n46 - n47 * n3[2].x) * n3[2].y + n47 * n3[1].w + n3[3].x;
let n49 = f32(n9[n48]);
let n50 = n49;
let n51 = (n6 % n3[3].w);
let n52 = n22[n51];
let n53 = (n50 * n52);
let n54 = (n45 + n53);
let n55 = n54;
let n56 = f32(n9[n7]);
let n57 = n56;
let n58 = (n7 % n3[0].w);
let n59 = n13[n58];
let n60 = (n57 * n59);
let n61 = n7 / n3[2].z;
let n62 = n61 / n3[2].x;
let n63 = (n7 - n61 * n3[2].z) + (n61 - n62 * n3[2].x) * n3[2].y + n62 * n3[1].w + n3[3].x;
let n64 = f32(n9[n63]);
let n65 = n64;
let n66 = (n7 % n3[3].w);
let n67 = n22[n66];
let n68 = (n65 * n67);
let n69 = (n60 + n68);
let n70 = n69;
let n71 = bitcast<i32>(n3[8].x);
let n72 = n4 / n3[5].x;
let n73 = (n4 - n72 * n3[5].x) + n72 * n3[4].w;
let n74 = bitcast<i32>(n73);
let n75 = bitcast<i32>(n3[8].y);
let n76 = (n74 * n75);
let n77 = (n71 + n76);
let n78 = 0u;
let n79 = n80[n78];
let n81 = bitcast<i32>(n3[8].z);
let n82 = n83(n79, n81);
let n84 = bitcast<i32>(n3[8].w);
let n85 = (n82 * n84);
let n86 = (n77 + n85);
let n87 = n5 / n3[5].x;
let n88 = (n5 - n87 * n3[5].x) + n87 * n3[4].w;
let n89 = bitcast<i32>(n88);
let n90 = (n89 * n75);
let n91 = (n71 + n90);
let n92 = 0u;
let n93 = n80[n92];
let n94 = n83(select(0, n93, 4u * n1 + 1u <= n2), n81);
let n95 = (n94 * n84);
let n96 = (n91 + n95);
let n97 = n6 / n3[5].x;
let n98 = (n6 - n97 * n3[5].x) + n97 * n3[4].w;
let n99 = bitcast<i32>(n98);
let n100 = (n99 * n75);
let n101 = (n71 + n100);
let n102 = 0u;
let n103 = n80[n102];
let n104 = n83(select(0, n103, 4u * n1 + 2u <= n2), n81);
let n105 = (n104 * n84);
let n106 = (n101 + n105);
let n107 = n7 / n3[5].x;
let n108 = (n7 - n107 * n3[5].x) + n107 * n3[4].w;
let n109 = bitcast<i32>(n108);
let n110 = (n109 * n75);
let n111 = (n71 + n110);
let n112 = 0u;
let n113 = n80[n112];
let n114 = n83(select(0, n113, 4u * n1 + 3u <= n2), n81);
let n115 = (n114 * n84);
let n116 = (n111 + n115);
n117[u32(n86)] = f16(n25);
if (4u * n1 + 1u <= n2) { n117[u32(n96)] = f16(n40);
}
if (4u * n1 + 2u <= n2) { n117[u32(n106)] = f16(n55);
}
if (4u * n1 + 3u <= n2) { n117[u32(n116)] = f16(n70);
}
}
// 4142e329c352
fn n0(n1: vec4<u32>, n2: vec2<u32>) -> vec4<u32> {
let n3 = n4(0xd2511f53u, n1.x);
let n5 = n4(0xcd9e8d57u, n1.z);
return vec4<u32>(n5.y ^ n1.y ^ n2.x, n5.x, n3.y ^ n1.w ^ n2.y, n3.x);
}
// 41644a3bb498
fn n0(n1: u32, n2: n3, n4: u32) -> n5 {
var n6: n5;
var n7: array<vec4<f32>, n8>;
var n9: array<vec4<f32>, n10>;
for (var n11 = 0u; n11 < n8; n11++) { n7[n11] = n12(n1, n2, 0u, n2.n13 + n11 * n14); }
for (var n11 = 0u; n11 < n10; n11++) { n9[n11] = n15(n1, n2, n4, 0u, n2.n13 + n11 * n14); }
for (var n16 = 0u; n16 < n17; n16 += n18) {
workgroupBarrier();
for (var n11 = 0u; n11 < n8; n11++) {
let n19 = (n2.n13 + n11 * n14) / n18;
let n20 = 4u * ((n2.n13 + n11 * n14) % n18);
for (var n21 = 0u; n21 < 4u; n21++) { n22[(n20 + n21) * n23 + n19 / 4u][n19 % 4u] = n7[n11][n21]; }
}
for (var n11 = 0u; n11 < n10; n11++) {
let n24 = (n2.n13 + n11 * n14) / n18;
let n20 = 4u * ((n2.n13 + n11 * n14) % n18);
for (var n21 = 0u; n21 < 4u; n21++) { n22[n25 * n23 + (n20 + n21) * n26 + n24 / 4u][n24 % 4u] = n9[n11][n21]; }
}
workgroupBarrier();
let n27 = n16 + n18;
if (n27 < n17) {
for (var n11 = 0u; n11 < n8; n11++) { n7[n11] = n12(n1, n2, n27, n2.n13 + n11 * n14); }
for (var n11 = 0u; n11 < n10; n11++) { n9[n11] = n15(n1, n2, n4, n27, n2.n13 + n11 * n14); }
}
for (var n28 = 0u; n28 < n25; n28++) {
let n29 = n22[n25 * n23 + n28 * n26 + n2.x];
for (var n30 = 0u; n30 < n31; n30++) {
let n32 = n22[n28 * n23 + n30 * n33 + n2.y];
n6[4u * n30] = fma(vec4<f32>(n32.x), n29, n6[4u * n30]);
n6[4u * n30 + 1u] = fma(vec4<f32>(n32.y), n29, n6[4u * n30 + 1u]);
n6[4u * n30 + 2u] = fma(vec4<f32>(n32.z), n29, n6[4u * n30 + 2u]);
n6[4u * n30 + 3u] = fma(vec4<f32>(n32.w), n29, n6[4u * n30 + 3u]);
}
}
}
return n6;
}
// 41cfc82e1b2e
fn n0(x: n1) -> bool {
return (x.y >> 31u) == 1u;
}
// 42fbc39e55e0
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
let n9 = n10[2u * n7];
let n11 = n10[2u * n7 + 1u];
let n12 = n13((n9 >> 0u) & 0xffffu);
let n14 = n13((n9 >> 16u) & 0xffffu);
let n15 = n13((n11 >> 0u) & 0xffffu);
let n16 = n13((n11 >> 16u) & 0xffffu);
return vec4<n5>(n12, n14, n15, n16);
}
// 4315c7443d99
const n0 = false;
// 43188a41c57e
const n0: u32 = 9u;
// 4485a81385c5
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 6>;
// 44edd3548750
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = vec4<f32>(n4[n1]);
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = n10(n5);
let n11 = (n5 * n9);
let n12 = vec4<f32>(n13[n1]);
let n14 = n12.x;
let n15 = n12.y;
let n16 = n12.z;
let n17 = n12.w;
let n18 = (n11 * n14);
let n19 = n2 + 1u;
let n20 = n10(n6);
let n21 = (n6 * n20);
let n22 = (n21 * n15);
let n23 = n2 + 2u;
let n24 = n10(n7);
let n25 = (n7 * n24);
let n26 = (n25 * n16);
let n27 = n2 + 3u;
let n28 = n10(n8);
let n29 = (n8 * n28);
let n30 = (n29 * n17);
return vec4<f32>(n18, n22, n26, n30);
}
// 45064b4932c9
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 16u;
let n8 = (n1.y * n2.x + n1.x) * 8u + n3 / 16u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 16u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n10 / n5[1].z;
let n25 = n24 / n5[1].x;
let n26 = (n10 - n24 * n5[1].z) * n5[1].w + (n24 - n25 * n5[1].x) * n5[1].y + n25 * n5[0].w + n17;
let n27 = n28((n29[n26 >> 1u] >> ((n26 & 1u) << 4u)) & 0xffffu);
let n30 = n27;
let n31 = n10 / n5[3].w;
let n32 = n31 / n5[3].y;
let n33 = (n10 - n31 * n5[3].w) * n5[4].x + (n31 - n32 * n5[3].y) * n5[3].z + n32 * n5[3].x + n17;
let n34 = n28((n35[n33 >> 1u] >> ((n33 & 1u) << 4u)) & 0xffffu);
let n36 = n34;
let n37 = (n30 * n36);
n13 = (n13 + n37);
let n38 = n10 / n5[1].z;
let n39 = n38 / n5[1].x;
let n40 = (n10 - n38 * n5[1].z) * n5[1].w + (n38 - n39 * n5[1].x) * n5[1].y + n39 * n5[0].w + n19;
let n41 = n28((n29[n40 >> 1u] >> ((n40 & 1u) << 4u)) & 0xffffu);
let n42 = n41;
let n43 = n10 / n5[3].w;
let n44 = n43 / n5[3].y;
let n45 = (n10 - n43 * n5[3].w) * n5[4].x + (n43 - n44 * n5[3].y) * n5[3].z + n44 * n5[3].x + n19;
let n46 = n28((n35[n45 >> 1u] >> ((n45 & 1u) << 4u)) & 0xffffu);
let n47 = n46;
let n48 = (n42 * n47);
n13 = (n13 + n48);
let n49 = n10 / n5[1].z;
let n50 = n49 / n5[1].x;
let n51 = (n10 - n49 * n5[1].z) * n5[1].w + (n49 - n50 * n5[1].x) * n5[1].y + n50 * n5[0].w + n21;
let n52 = n28((n29[n51 >> 1u] >> ((n51 & 1u) << 4u)) & 0xffffu);
let n53 = n52;
let n54 = n10 / n5[3].w;
let n55 = n54 / n5[3].y;
let n56 = (n10 - n54 * n5[3].w) * n5[4].x + (n54 - n55 * n5[3].y) * n5[3].z + n55 * n5[3].x + n21;
let n57 = n28((n35[n56 >> 1u] >> ((n56 & 1u) << 4u)) & 0xffffu);
let n58 = n57;
let n59 = (n53 * n58);
n13 = (n13 + n59);
let n60 = n10 / n5[1].z;
let n61 = n60 / n5[1].x;
let n62 = (n10 - n60 * n5[1].z) * n5[1].w + (n60 - n61 * n5[1].x) * n5[1].y + n61 * n5[0].w + n23;
let n63 = n28((n29[n62 >> 1u] >> ((n62 & 1u) << 4u)) & 0xffffu);
let n64 = n63;
let n65 = n10 / n5[3].w;
let n66 = n65 / n5[3].y;
let n67 = (n10 - n65 * n5[3].w) * n5[4].x + (n65 - n66 * n5[3].y) * n5[3].z + n66 * n5[3].x + n23;
let n68 = n28((n35[n67 >> 1u] >> ((n67 & 1u) << 4u)) & 0xffffu);
let n69 = n68;
let n70 = (n64 * n69);
n13 = (n13 + n70);
}
n71[n3] = n13;
workgroupBarrier();
for (var n72 = 8u; n72 > 0u; n72 >>= 1u) {
if (n7 < n72) { n71[n3] = (n71[n3] + n71[n3 + n72]); }
workgroupBarrier();
}
let n73 = n71[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n74[n10] = n73;
}
}
// 450d7a5b107b
const n0: u32 = (n1 * n2 + n3 - 1u) / n3;
// 45143c4538b7
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
let n34 = subgroupAny(n35(n13));
let n36 = subgroupMax(select(n13, (-n14()), n35(n13)));
let n37 = select(n36, n38(), n34);
if (n3 % 32u == 0u) { n39[n3 / 32u] = n37; }
workgroupBarrier();
let n40 = (n3 - n7) / 32u;
var n41 = n39[n40];
for (var n42 = 1u; n42 < 4u; n42++) { n41 = n33(n41, n39[n40 + n42]); }
let n43 = n41;
workgroupBarrier();
var n44: f32 = f32(0);
let n45 = (n29 - n43);
let n46 = n47(n45);
n44 = (n44 + select(f32(0), n46, n16));
let n48 = (n30 - n43);
let n49 = n47(n48);
n44 = (n44 + select(f32(0), n49, n16));
let n50 = (n31 - n43);
let n51 = n47(n50);
n44 = (n44 + select(f32(0), n51, n16));
let n52 = (n32 - n43);
let n53 = n47(n52);
n44 = (n44 + select(f32(0), n53, n16));
let n54 = subgroupAdd(n44);
if (n3 % 32u == 0u) { n39[n3 / 32u] = n54; }
workgroupBarrier();
let n55 = (n3 - n7) / 32u;
var n56 = n39[n55];
for (var n42 = 1u; n42 < 4u; n42++) { n56 = (n56 + n39[n55 + n42]); }
let n57 = n56;
workgroupBarrier();
let n58 = n59(n46, n57);
let n60 = n59(n49, n57);
let n61 = n59(n51, n57);
let n62 = n59(n53, n57);
if (n9 && n16) {
n63[n18] = vec4<f32>(n58, n60, n61, n62);
}
}
// 462382b4937f
@group(0) @binding(4) var<storage, read_write> n0: array<vec4<i32>>;
// 46ce04409681
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[2].x;
n2.n4 += (n3 % n5[1].x) * n5[1].y;
n3 = n3 / n5[1].x;
}
{ var n3 = z;
n2.n6 = n5[3].y;
n2.n6 += (n3 % n5[2].y) * n5[2].z;
n3 = n3 / n5[2].y;
}
return n2;
}
// 471d0ccff1ac
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 32u;
let n18 = n16 % 2u * 32u;
let n19 = (n2 / 16u);
let n20 = n2 % 16u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (8u * n25[1].x) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (8u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = vec4<n40>();
var n41 = vec4<n40>();
var n42 = vec4<n40>();
var n43 = vec4<n40>();
var n44 = vec4<n40>();
var n45 = vec4<n40>();
var n46 = vec4<n40>();
var n47 = vec4<n40>();
var n48 = vec4<n40>();
var n49 = vec4<n40>();
var n50 = vec4<n40>();
var n51 = vec4<n40>();
var n52 = vec4<n40>();
var n53 = vec4<n40>();
var n54 = vec4<n40>();
var n55 = vec4<n40>();
{
let n56 = select(0u, 0u, 0u < n9);
let n57 = n23 + (n56 >> 2u);
n39 = n58[n57 + 0u * n26];
n41 = n58[n57 + 1u * n26];
n42 = n58[n57 + 2u * n26];
n43 = n58[n57 + 3u * n26];
n44 = n58[n57 + 4u * n26];
n45 = n58[n57 + 5u * n26];
n46 = n58[n57 + 6u * n26];
n47 = n58[n57 + 7u * n26];
let n59 = n31 + n56 * (n25[1].w >> 2u);
n48 = n60[n59 + 0u * n33];
n49 = n60[n59 + 1u * n33];
n50 = n60[n59 + 2u * n33];
n51 = n60[n59 + 3u * n33];
n52 = n60[n59 + 4u * n33];
n53 = n60[n59 + 5u * n33];
n54 = n60[n59 + 6u * n33];
n55 = n60[n59 + 7u * n33];
}
var n61 = vec4<n40>();
var n62 = vec4<n40>();
var n63 = vec4<n40>();
var n64 = vec4<n40>();
var n65 = vec4<n40>();
var n66 = vec4<n40>();
var n67 = vec4<n40>();
var n68 = vec4<n40>();
var n69 = vec4<n40>();
var n70 = vec4<n40>();
var n71 = vec4<n40>();
var n72 = vec4<n40>();
var n73 = vec4<n40>();
var n74 = vec4<n40>();
var n75 = vec4<n40>();
var n76 = vec4<n40>();
{
let n56 = select(0u, 64u, 64u < n9);
let n57 = n23 + (n56 >> 2u);
n61 = n58[n57 + 0u * n26];
n62 = n58[n57 + 1u * n26];
n63 = n58[n57 + 2u * n26];
n64 = n58[n57 + 3u * n26];
n65 = n58[n57 + 4u * n26];
n66 = n58[n57 + 5u * n26];
n67 = n58[n57 + 6u * n26];
n68 = n58[n57 + 7u * n26];
let n59 = n31 + n56 * (n25[1].w >> 2u);
n69 = n60[n59 + 0u * n33];
n70 = n60[n59 + 1u * n33];
n71 = n60[n59 + 2u * n33];
n72 = n60[n59 + 3u * n33];
n73 = n60[n59 + 4u * n33];
n74 = n60[n59 + 5u * n33];
n75 = n60[n59 + 6u * n33];
n76 = n60[n59 + 7u * n33];
}
for (var n77 = 0u; n77 < n9; n77 += 2u * n78) {
{
n79[n21 + (0u * 8u) * n22] = n39;
n79[n21 + (1u * 8u) * n22] = n41;
n79[n21 + (2u * 8u) * n22] = n42;
n79[n21 + (3u * 8u) * n22] = n43;
n79[n21 + (4u * 8u) * n22] = n44;
n79[n21 + (5u * 8u) * n22] = n45;
n79[n21 + (6u * 8u) * n22] = n46;
n79[n21 + (7u * 8u) * n22] = n47;
n80[n29 + (0u * 8u) * n30] = n48;
n80[n29 + (1u * 8u) * n30] = n49;
n80[n29 + (2u * 8u) * n30] = n50;
n80[n29 + (3u * 8u) * n30] = n51;
n80[n29 + (4u * 8u) * n30] = n52;
n80[n29 + (5u * 8u) * n30] = n53;
n80[n29 + (6u * 8u) * n30] = n54;
n80[n29 + (7u * 8u) * n30] = n55;
workgroupBarrier();
let n81 = n77 + 2u * n78;
let n56 = select(0u, n81, n81 < n9);
let n57 = n23 + (n56 >> 2u);
n39 = n58[n57 + 0u * n26];
n41 = n58[n57 + 1u * n26];
n42 = n58[n57 + 2u * n26];
n43 = n58[n57 + 3u * n26];
n44 = n58[n57 + 4u * n26];
n45 = n58[n57 + 5u * n26];
n46 = n58[n57 + 6u * n26];
n47 = n58[n57 + 7u * n26];
let n59 = n31 + n56 * (n25[1].w >> 2u);
n48 = n60[n59 + 0u * n33];
n49 = n60[n59 + 1u * n33];
n50 = n60[n59 + 2u * n33];
n51 = n60[n59 + 3u * n33];
n52 = n60[n59 + 4u * n33];
n53 = n60[n59 + 5u * n33];
n54 = n60[n59 + 6u * n33];
n55 = n60[n59 + 7u * n33];
{
let n82 = n83(n17 + 0u, 0u);
let n84 = n83(n17 + 16u, 0u);
let n85 = n86(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 16u);
let n84 = n83(n17 + 16u, 16u);
let n85 = n86(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 32u);
let n84 = n83(n17 + 16u, 32u);
let n85 = n86(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 48u);
let n84 = n83(n17 + 16u, 48u);
let n85 = n86(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
workgroupBarrier();
}
for (var n88 = n77 + n78 < n9; n88; n88 = false) {
n79[n21 + (0u * 8u) * n22] = n61;
n79[n21 + (1u * 8u) * n22] = n62;
n79[n21 + (2u * 8u) * n22] = n63;
n79[n21 + (3u * 8u) * n22] = n64;
n79[n21 + (4u * 8u) * n22] = n65;
n79[n21 + (5u * 8u) * n22] = n66;
n79[n21 + (6u * 8u) * n22] = n67;
n79[n21 + (7u * 8u) * n22] = n68;
n80[n29 + (0u * 8u) * n30] = n69;
n80[n29 + (1u * 8u) * n30] = n70;
n80[n29 + (2u * 8u) * n30] = n71;
n80[n29 + (3u * 8u) * n30] = n72;
n80[n29 + (4u * 8u) * n30] = n73;
n80[n29 + (5u * 8u) * n30] = n74;
n80[n29 + (6u * 8u) * n30] = n75;
n80[n29 + (7u * 8u) * n30] = n76;
workgroupBarrier();
let n81 = n77 + 3u * n78;
let n56 = select(0u, n81, n81 < n9);
let n57 = n23 + (n56 >> 2u);
n61 = n58[n57 + 0u * n26];
n62 = n58[n57 + 1u * n26];
n63 = n58[n57 + 2u * n26];
n64 = n58[n57 + 3u * n26];
n65 = n58[n57 + 4u * n26];
n66 = n58[n57 + 5u * n26];
n67 = n58[n57 + 6u * n26];
n68 = n58[n57 + 7u * n26];
let n59 = n31 + n56 * (n25[1].w >> 2u);
n69 = n60[n59 + 0u * n33];
n70 = n60[n59 + 1u * n33];
n71 = n60[n59 + 2u * n33];
n72 = n60[n59 + 3u * n33];
n73 = n60[n59 + 4u * n33];
n74 = n60[n59 + 5u * n33];
n75 = n60[n59 + 6u * n33];
n76 = n60[n59 + 7u * n33];
{
let n82 = n83(n17 + 0u, 0u);
let n84 = n83(n17 + 16u, 0u);
let n85 = n86(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 16u);
let n84 = n83(n17 + 16u, 16u);
let n85 = n86(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 32u);
let n84 = n83(n17 + 16u, 32u);
let n85 = n86(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 48u);
let n84 = n83(n17 + 16u, 48u);
let n85 = n86(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
workgroupBarrier();
}
}
let n89 = n11 * n90 * n91;
let n92 = n89 + 0u;
coopStoreT(n34, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n89, n13);
workgroupBarrier();
coopStoreT(n36, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n89, n13);
workgroupBarrier();
coopStoreT(n37, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n89, n13);
workgroupBarrier();
coopStoreT(n38, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n89, n13);
workgroupBarrier();
}
// 472a7869bcfb
const n0 = 4u;
// 47a33dc514af
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<i32>(n3[3].y);
let n15 = n4;
let n16 = bitcast<i32>(n15);
let n17 = bitcast<i32>(n3[3].z);
let n18 = (n16 * n17);
let n19 = (n14 + n18);
let n20 = 0u;
let n21 = n22[n20];
let n23 = bitcast<i32>(n3[3].w);
let n24 = n25(n21, n23);
let n26 = bitcast<i32>(n3[4].x);
let n27 = (n24 * n26);
let n28 = (n19 + n27);
let n29 = n5;
let n30 = bitcast<i32>(n29);
let n31 = (n30 * n17);
let n32 = (n14 + n31);
let n33 = 0u;
let n34 = n22[n33];
let n35 = n25(select(0, n34, 4u * n1 + 1u <= n2), n23);
let n36 = (n35 * n26);
let n37 = (n32 + n36);
let n38 = n6;
let n39 = bitcast<i32>(n38);
let n40 = (n39 * n17);
let n41 = (n14 + n40);
let n42 = 0u;
let n43 = n22[n42];
let n44 = n25(select(0, n43, 4u * n1 + 2u <= n2), n23);
let n45 = (n44 * n26);
let n46 = (n41 + n45);
let n47 = n7;
let n48 = bitcast<i32>(n47);
let n49 = (n48 * n17);
let n50 = (n14 + n49);
let n51 = 0u;
let n52 = n22[n51];
let n53 = n25(select(0, n52, 4u * n1 + 3u <= n2), n23);
let n54 = (n53 * n26);
let n55 = (n50 + n54);
n56[u32(n28)] = n10;
if (4u * n1 + 1u <= n2) { n56[u32(n37)] = n11;
}
if (4u * n1 + 2u <= n2) { n56[u32(n46)] = n12;
}
if (4u * n1 + 3u <= n2) { n56[u32(n55)] = n13;
}
}
// 47af1e1f465e
fn n0(x: n1) -> f32 {
if ((x.x | x.y) == 0u) {
return 0.0;
}
let n2 = n3(x);
let n4 = n5(x, n2);
let n6 = n4.y >> 8u;
let n7 = (n4.y & 0xffu) | select(0u, 1u, n4.x != 0u);
let n8 = select(0u, 1u, n7 > 128u || (n7 == 128u && (n4.x != 0u || (n6 & 1u) == 1u)));
return bitcast<f32>(((189u - n2) << 23u) + n6 + n8);
}
// 47f7c3a840bb
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
switch n5 {
case 0u: {
n6(z, n1, n2, n3);
}
default: {
n7(z, n1, n2, n3);
}
}
}
// 482b616a82c0
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].y + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 495873a700d3
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[2].x + n4) >> 2u;
let n9 = n10[2u * n7];
let n11 = n10[2u * n7 + 1u];
let n12 = n13((n9 >> 0u) & 0xffffu);
let n14 = n13((n9 >> 16u) & 0xffffu);
let n15 = n13((n11 >> 0u) & 0xffffu);
let n16 = n13((n11 >> 16u) & 0xffffu);
return vec4<n5>(n12, n14, n15, n16);
}
// 49e834357c53
fn n0(n1: u32, n2: n3, n4: u32, n5: u32) -> vec4<f32> {
let n6 = n4 + n5 / n7;
if (n6 >= n2.n8 || n5 >= n9 * n7) { return vec4<f32>(); }
return n10(n1, n2.n11, n2.n12, n6, n5 % n7);
}
// 49ffc5026692
fn n0(x: f32) -> f32 {
if (x > -0.292893219 && x < 0.414213562) {
return select(n1(x), x, n2(x));
}
return select(n3(1.0 + x), x, n4(x));
}
// 4b3d9b4f0080
fn n0(n1: n2, n3: vec4<n2>, n4: vec4<n2>) -> vec4<n2> { return fma(vec4<n2>(n1), n3, n4); }
// 4be9f6a12515
struct n0 {
n1: u32,
n2: u32,
n3: u32,
n4: u32,
group: u32,
n5: u32,
n6: u32,
n7: u32,
n8: i32,
n9: i32,
n10: i32,
n11: f32,
n12: f32,
n13: u32,
n14: u32,
n15: u32,
n16: u32,
n17: u32,
n18: u32,
n19: u32,
n20: u32,
n21: u32,
n22: u32,
n23: u32,
n24: u32,
n25: u32,
n26: u32,
n27: u32,
n28: vec4<u32>,
n29: u32,
n30: vec4<u32>,
n31: u32,
n32: vec4<u32>,
n33: u32,
}
// 4d158c9d7739
fn n0(x: f32) -> vec2<f32> {
let n1 = bitcast<u32>(x);
let n2 = n1 < 0x00800000u;
let n3 = bitcast<u32>(select(x, f32(n1), n2)) - 0x3f3504f3u;
let n4 = bitcast<f32>((n3 & 0x007fffffu) + 0x3f3504f3u);
return vec2<f32>(n4 - 1.0, f32(bitcast<i32>(n3) >> 23u) - select(0.0, 149.0, n2));
}
// 4df18773c366
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[n7] = vec4<f32>(n3.x, n3.y, n3.z, n3.w);
}
// 4e5d159bb97f
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 1u * 16u;
let n18 = n16 % 1u * 32u;
let n19 = (n2 / 32u);
let n20 = n2 % 32u;
let n21 = n19 * n22 + n20;
let n23 = ((((n2 / 8u) & 1u) << 2u) | (((n2 / 8u) & 6u) >> 1u) | ((n2 / 8u) & ~7u));
let n24 = n2 % 8u;
let n25 = n23 * n26 + n24;
var n27 = n28();
var n29 = n28();
var n30 = vec4<n31>();
var n32 = vec4<n31>();
var n33 = vec4<n31>();
var n34 = vec4<n31>();
var n35 = vec4<n31>();
var n36 = vec4<n31>();
var n37 = vec4<n31>();
var n38 = vec4<n31>();
var n39 = vec4<n31>();
var n40 = vec4<n31>();
var n41 = vec4<n31>();
var n42 = vec4<n31>();
{
let n43 = select(0u, 0u, 0u < n9);
n30 = n44(n7, n5 + n19 + 0u * 4u, n43 + 4u * n20);
n32 = n44(n7, n5 + n19 + 1u * 4u, n43 + 4u * n20);
n33 = n44(n7, n5 + n19 + 2u * 4u, n43 + 4u * n20);
n34 = n44(n7, n5 + n19 + 3u * 4u, n43 + 4u * n20);
n35 = n45(n7, n6 + 4u * n24, n43 + n23 + 0u * 16u);
n36 = n45(n7, n6 + 4u * n24, n43 + n23 + 1u * 16u);
n37 = n45(n7, n6 + 4u * n24, n43 + n23 + 2u * 16u);
n38 = n45(n7, n6 + 4u * n24, n43 + n23 + 3u * 16u);
n39 = n45(n7, n6 + 4u * n24, n43 + n23 + 4u * 16u);
n40 = n45(n7, n6 + 4u * n24, n43 + n23 + 5u * 16u);
n41 = n45(n7, n6 + 4u * n24, n43 + n23 + 6u * 16u);
n42 = n45(n7, n6 + 4u * n24, n43 + n23 + 7u * 16u);
}
var n46 = vec4<n31>();
var n47 = vec4<n31>();
var n48 = vec4<n31>();
var n49 = vec4<n31>();
var n50 = vec4<n31>();
var n51 = vec4<n31>();
var n52 = vec4<n31>();
var n53 = vec4<n31>();
var n54 = vec4<n31>();
var n55 = vec4<n31>();
var n56 = vec4<n31>();
var n57 = vec4<n31>();
{
let n43 = select(0u, 128u, 128u < n9);
n46 = n44(n7, n5 + n19 + 0u * 4u, n43 + 4u * n20);
n47 = n44(n7, n5 + n19 + 1u * 4u, n43 + 4u * n20);
n48 = n44(n7, n5 + n19 + 2u * 4u, n43 + 4u * n20);
n49 = n44(n7, n5 + n19 + 3u * 4u, n43 + 4u * n20);
n50 = n45(n7, n6 + 4u * n24, n43 + n23 + 0u * 16u);
n51 = n45(n7, n6 + 4u * n24, n43 + n23 + 1u * 16u);
n52 = n45(n7, n6 + 4u * n24, n43 + n23 + 2u * 16u);
n53 = n45(n7, n6 + 4u * n24, n43 + n23 + 3u * 16u);
n54 = n45(n7, n6 + 4u * n24, n43 + n23 + 4u * 16u);
n55 = n45(n7, n6 + 4u * n24, n43 + n23 + 5u * 16u);
n56 = n45(n7, n6 + 4u * n24, n43 + n23 + 6u * 16u);
n57 = n45(n7, n6 + 4u * n24, n43 + n23 + 7u * 16u);
}
for (var n58 = 0u; n58 < n9; n58 += 2u * n59) {
{
n60[n21 + (0u * 4u) * n22] = n30;
n60[n21 + (1u * 4u) * n22] = n32;
n60[n21 + (2u * 4u) * n22] = n33;
n60[n21 + (3u * 4u) * n22] = n34;
n61[n25 + (0u * 16u) * n26] = n35;
n61[n25 + (1u * 16u) * n26] = n36;
n61[n25 + (2u * 16u) * n26] = n37;
n61[n25 + (3u * 16u) * n26] = n38;
n61[n25 + (4u * 16u) * n26] = n39;
n61[n25 + (5u * 16u) * n26] = n40;
n61[n25 + (6u * 16u) * n26] = n41;
n61[n25 + (7u * 16u) * n26] = n42;
workgroupBarrier();
let n62 = n58 + 2u * n59;
let n43 = select(0u, n62, n62 < n9);
n30 = n44(n7, n5 + n19 + 0u * 4u, n43 + 4u * n20);
n32 = n44(n7, n5 + n19 + 1u * 4u, n43 + 4u * n20);
n33 = n44(n7, n5 + n19 + 2u * 4u, n43 + 4u * n20);
n34 = n44(n7, n5 + n19 + 3u * 4u, n43 + 4u * n20);
n35 = n45(n7, n6 + 4u * n24, n43 + n23 + 0u * 16u);
n36 = n45(n7, n6 + 4u * n24, n43 + n23 + 1u * 16u);
n37 = n45(n7, n6 + 4u * n24, n43 + n23 + 2u * 16u);
n38 = n45(n7, n6 + 4u * n24, n43 + n23 + 3u * 16u);
n39 = n45(n7, n6 + 4u * n24, n43 + n23 + 4u * 16u);
n40 = n45(n7, n6 + 4u * n24, n43 + n23 + 5u * 16u);
n41 = n45(n7, n6 + 4u * n24, n43 + n23 + 6u * 16u);
n42 = n45(n7, n6 + 4u * n24, n43 + n23 + 7u * 16u);
{
let n63 = n64(n17 + 0u, n14 * 32u + 0u);
let n65 = n66(n18 + 0u, n14 * 32u + 0u);
n27 = coopMultiplyAdd(n63, n65, n27);
let n67 = n66(n18 + 16u, n14 * 32u + 0u);
n29 = coopMultiplyAdd(n63, n67, n29);
}
{
let n63 = n64(n17 + 0u, n14 * 32u + 16u);
let n65 = n66(n18 + 0u, n14 * 32u + 16u);
n27 = coopMultiplyAdd(n63, n65, n27);
let n67 = n66(n18 + 16u, n14 * 32u + 16u);
n29 = coopMultiplyAdd(n63, n67, n29);
}
workgroupBarrier();
}
for (var n68 = n58 + n59 < n9; n68; n68 = false) {
n60[n21 + (0u * 4u) * n22] = n46;
n60[n21 + (1u * 4u) * n22] = n47;
n60[n21 + (2u * 4u) * n22] = n48;
n60[n21 + (3u * 4u) * n22] = n49;
n61[n25 + (0u * 16u) * n26] = n50;
n61[n25 + (1u * 16u) * n26] = n51;
n61[n25 + (2u * 16u) * n26] = n52;
n61[n25 + (3u * 16u) * n26] = n53;
n61[n25 + (4u * 16u) * n26] = n54;
n61[n25 + (5u * 16u) * n26] = n55;
n61[n25 + (6u * 16u) * n26] = n56;
n61[n25 + (7u * 16u) * n26] = n57;
workgroupBarrier();
let n62 = n58 + 3u * n59;
let n43 = select(0u, n62, n62 < n9);
n46 = n44(n7, n5 + n19 + 0u * 4u, n43 + 4u * n20);
n47 = n44(n7, n5 + n19 + 1u * 4u, n43 + 4u * n20);
n48 = n44(n7, n5 + n19 + 2u * 4u, n43 + 4u * n20);
n49 = n44(n7, n5 + n19 + 3u * 4u, n43 + 4u * n20);
n50 = n45(n7, n6 + 4u * n24, n43 + n23 + 0u * 16u);
n51 = n45(n7, n6 + 4u * n24, n43 + n23 + 1u * 16u);
n52 = n45(n7, n6 + 4u * n24, n43 + n23 + 2u * 16u);
n53 = n45(n7, n6 + 4u * n24, n43 + n23 + 3u * 16u);
n54 = n45(n7, n6 + 4u * n24, n43 + n23 + 4u * 16u);
n55 = n45(n7, n6 + 4u * n24, n43 + n23 + 5u * 16u);
n56 = n45(n7, n6 + 4u * n24, n43 + n23 + 6u * 16u);
n57 = n45(n7, n6 + 4u * n24, n43 + n23 + 7u * 16u);
{
let n63 = n64(n17 + 0u, n14 * 32u + 0u);
let n65 = n66(n18 + 0u, n14 * 32u + 0u);
n27 = coopMultiplyAdd(n63, n65, n27);
let n67 = n66(n18 + 16u, n14 * 32u + 0u);
n29 = coopMultiplyAdd(n63, n67, n29);
}
{
let n63 = n64(n17 + 0u, n14 * 32u + 16u);
let n65 = n66(n18 + 0u, n14 * 32u + 16u);
n27 = coopMultiplyAdd(n63, n65, n27);
let n67 = n66(n18 + 16u, n14 * 32u + 16u);
n29 = coopMultiplyAdd(n63, n67, n29);
}
workgroupBarrier();
}
}
let n69 = n11 * n70 * n71;
let n72 = n69 + 0u;
coopStoreT(n27, &n73[n72], n71);
workgroupBarrier();
if (n14 == 0u) {
n74(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n69, n13);
}
workgroupBarrier();
coopStoreT(n29, &n73[n72], n71);
workgroupBarrier();
if (n14 == 0u) {
n74(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n69, n13);
}
workgroupBarrier();
}
// 4e7f345cf395
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = n14[n10];
let n15 = bitcast<f32>(n5[2].w);
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = vec4<f32>(n34[n24]);
let n35 = n33.x;
let n36 = n33.y;
let n37 = n33.z;
let n38 = n33.w;
let n39 = n35;
let n40 = f32(n41[n26]);
let n42 = n40;
let n43 = (n39 * n42);
let n44 = vec4<f32>(n45[n24]);
let n46 = n44.x;
let n47 = n44.y;
let n48 = n44.z;
let n49 = n44.w;
let n50 = vec4<f32>(n51[n24]);
let n52 = n50.x;
let n53 = n50.y;
let n54 = n50.z;
let n55 = n50.w;
let n56 = (n46 + n52);
let n57 = n56;
let n58 = (n43 * n57);
n20 = (n20 + select(f32(0), n58, n22));
let n59 = n36;
let n60 = f32(n41[n28]);
let n61 = n60;
let n62 = (n59 * n61);
let n63 = (n47 + n53);
let n64 = n63;
let n65 = (n62 * n64);
n20 = (n20 + select(f32(0), n65, n22));
let n66 = n37;
let n67 = f32(n41[n30]);
let n68 = n67;
let n69 = (n66 * n68);
let n70 = (n48 + n54);
let n71 = n70;
let n72 = (n69 * n71);
n20 = (n20 + select(f32(0), n72, n22));
let n73 = n38;
let n74 = f32(n41[n32]);
let n75 = n74;
let n76 = (n73 * n75);
let n77 = (n49 + n55);
let n78 = n77;
let n79 = (n76 * n78);
n20 = (n20 + select(f32(0), n79, n22));
let n80 = n7 + 32u;
let n81 = n80 < n11;
let n82 = min(n80, n11 - 1u);
let n83 = n12 + n82;
let n84 = 4u * n83 + 0u;
let n85 = 4u * n82 + 0u;
let n86 = 4u * n83 + 1u;
let n87 = 4u * n82 + 1u;
let n88 = 4u * n83 + 2u;
let n89 = 4u * n82 + 2u;
let n90 = 4u * n83 + 3u;
let n91 = 4u * n82 + 3u;
let n92 = vec4<f32>(n34[n83]);
let n93 = n92.x;
let n94 = n92.y;
let n95 = n92.z;
let n96 = n92.w;
let n97 = n93;
let n98 = f32(n41[n85]);
let n99 = n98;
let n100 = (n97 * n99);
let n101 = vec4<f32>(n45[n83]);
let n102 = n101.x;
let n103 = n101.y;
let n104 = n101.z;
let n105 = n101.w;
let n106 = vec4<f32>(n51[n83]);
let n107 = n106.x;
let n108 = n106.y;
let n109 = n106.z;
let n110 = n106.w;
let n111 = (n102 + n107);
let n112 = n111;
let n113 = (n100 * n112);
n20 = (n20 + select(f32(0), n113, n81));
let n114 = n94;
let n115 = f32(n41[n87]);
let n116 = n115;
let n117 = (n114 * n116);
let n118 = (n103 + n108);
let n119 = n118;
let n120 = (n117 * n119);
n20 = (n20 + select(f32(0), n120, n81));
let n121 = n95;
let n122 = f32(n41[n89]);
let n123 = n122;
let n124 = (n121 * n123);
let n125 = (n104 + n109);
let n126 = n125;
let n127 = (n124 * n126);
n20 = (n20 + select(f32(0), n127, n81));
let n128 = n96;
let n129 = f32(n41[n91]);
let n130 = n129;
let n131 = (n128 * n130);
let n132 = (n105 + n110);
let n133 = n132;
let n134 = (n131 * n133);
n20 = (n20 + select(f32(0), n134, n81));
let n135 = n7 + 64u;
let n136 = n135 < n11;
let n137 = min(n135, n11 - 1u);
let n138 = n12 + n137;
let n139 = 4u * n138 + 0u;
let n140 = 4u * n137 + 0u;
let n141 = 4u * n138 + 1u;
let n142 = 4u * n137 + 1u;
let n143 = 4u * n138 + 2u;
let n144 = 4u * n137 + 2u;
let n145 = 4u * n138 + 3u;
let n146 = 4u * n137 + 3u;
let n147 = vec4<f32>(n34[n138]);
let n148 = n147.x;
let n149 = n147.y;
let n150 = n147.z;
let n151 = n147.w;
let n152 = n148;
let n153 = f32(n41[n140]);
let n154 = n153;
let n155 = (n152 * n154);
let n156 = vec4<f32>(n45[n138]);
let n157 = n156.x;
let n158 = n156.y;
let n159 = n156.z;
let n160 = n156.w;
let n161 = vec4<f32>(n51[n138]);
let n162 = n161.x;
let n163 = n161.y;
let n164 = n161.z;
let n165 = n161.w;
let n166 = (n157 + n162);
let n167 = n166;
let n168 = (n155 * n167);
n20 = (n20 + select(f32(0), n168, n136));
let n169 = n149;
let n170 = f32(n41[n142]);
let n171 = n170;
let n172 = (n169 * n171);
let n173 = (n158 + n163);
let n174 = n173;
let n175 = (n172 * n174);
n20 = (n20 + select(f32(0), n175, n136));
let n176 = n150;
let n177 = f32(n41[n144]);
let n178 = n177;
let n179 = (n176 * n178);
let n180 = (n159 + n164);
let n181 = n180;
let n182 = (n179 * n181);
n20 = (n20 + select(f32(0), n182, n136));
let n183 = n151;
let n184 = f32(n41[n146]);
let n185 = n184;
let n186 = (n183 * n185);
let n187 = (n160 + n165);
let n188 = n187;
let n189 = (n186 * n188);
n20 = (n20 + select(f32(0), n189, n136));
let n190 = n7 + 96u;
let n191 = n190 < n11;
let n192 = min(n190, n11 - 1u);
let n193 = n12 + n192;
let n194 = 4u * n193 + 0u;
let n195 = 4u * n192 + 0u;
let n196 = 4u * n193 + 1u;
let n197 = 4u * n192 + 1u;
let n198 = 4u * n193 + 2u;
let n199 = 4u * n192 + 2u;
let n200 = 4u * n193 + 3u;
let n201 = 4u * n192 + 3u;
let n202 = vec4<f32>(n34[n193]);
let n203 = n202.x;
let n204 = n202.y;
let n205 = n202.z;
let n206 = n202.w;
let n207 = n203;
let n208 = f32(n41[n195]);
let n209 = n208;
let n210 = (n207 * n209);
let n211 = vec4<f32>(n45[n193]);
let n212 = n211.x;
let n213 = n211.y;
let n214 = n211.z;
let n215 = n211.w;
let n216 = vec4<f32>(n51[n193]);
let n217 = n216.x;
let n218 = n216.y;
let n219 = n216.z;
let n220 = n216.w;
let n221 = (n212 + n217);
let n222 = n221;
let n223 = (n210 * n222);
n20 = (n20 + select(f32(0), n223, n191));
let n224 = n204;
let n225 = f32(n41[n197]);
let n226 = n225;
let n227 = (n224 * n226);
let n228 = (n213 + n218);
let n229 = n228;
let n230 = (n227 * n229);
n20 = (n20 + select(f32(0), n230, n191));
let n231 = n205;
let n232 = f32(n41[n199]);
let n233 = n232;
let n234 = (n231 * n233);
let n235 = (n214 + n219);
let n236 = n235;
let n237 = (n234 * n236);
n20 = (n20 + select(f32(0), n237, n191));
let n238 = n206;
let n239 = f32(n41[n201]);
let n240 = n239;
let n241 = (n238 * n240);
let n242 = (n215 + n220);
let n243 = n242;
let n244 = (n241 * n243);
n20 = (n20 + select(f32(0), n244, n191));
let n245 = n7 + 128u;
let n246 = n245 < n11;
let n247 = min(n245, n11 - 1u);
let n248 = n12 + n247;
let n249 = 4u * n248 + 0u;
let n250 = 4u * n247 + 0u;
let n251 = 4u * n248 + 1u;
let n252 = 4u * n247 + 1u;
let n253 = 4u * n248 + 2u;
let n254 = 4u * n247 + 2u;
let n255 = 4u * n248 + 3u;
let n256 = 4u * n247 + 3u;
let n257 = vec4<f32>(n34[n248]);
let n258 = n257.x;
let n259 = n257.y;
let n260 = n257.z;
let n261 = n257.w;
let n262 = n258;
let n263 = f32(n41[n250]);
let n264 = n263;
let n265 = (n262 * n264);
let n266 = vec4<f32>(n45[n248]);
let n267 = n266.x;
let n268 = n266.y;
let n269 = n266.z;
let n270 = n266.w;
let n271 = vec4<f32>(n51[n248]);
let n272 = n271.x;
let n273 = n271.y;
let n274 = n271.z;
let n275 = n271.w;
let n276 = (n267 + n272);
let n277 = n276;
let n278 = (n265 * n277);
n20 = (n20 + select(f32(0), n278, n246));
let n279 = n259;
let n280 = f32(n41[n252]);
let n281 = n280;
let n282 = (n279 * n281);
let n283 = (n268 + n273);
let n284 = n283;
let n285 = (n282 * n284);
n20 = (n20 + select(f32(0), n285, n246));
let n286 = n260;
let n287 = f32(n41[n254]);
let n288 = n287;
let n289 = (n286 * n288);
let n290 = (n269 + n274);
let n291 = n290;
let n292 = (n289 * n291);
n20 = (n20 + select(f32(0), n292, n246));
let n293 = n261;
let n294 = f32(n41[n256]);
let n295 = n294;
let n296 = (n293 * n295);
let n297 = (n270 + n275);
let n298 = n297;
let n299 = (n296 * n298);
n20 = (n20 + select(f32(0), n299, n246));
let n300 = n7 + 160u;
let n301 = n300 < n11;
let n302 = min(n300, n11 - 1u);
let n303 = n12 + n302;
let n304 = 4u * n303 + 0u;
let n305 = 4u * n302 + 0u;
let n306 = 4u * n303 + 1u;
let n307 = 4u * n302 + 1u;
let n308 = 4u * n303 + 2u;
let n309 = 4u * n302 + 2u;
let n310 = 4u * n303 + 3u;
let n311 = 4u * n302 + 3u;
let n312 = vec4<f32>(n34[n303]);
let n313 = n312.x;
let n314 = n312.y;
let n315 = n312.z;
let n316 = n312.w;
let n317 = n313;
let n318 = f32(n41[n305]);
let n319 = n318;
let n320 = (n317 * n319);
let n321 = vec4<f32>(n45[n303]);
let n322 = n321.x;
let n323 = n321.y;
let n324 = n321.z;
let n325 = n321.w;
let n326 = vec4<f32>(n51[n303]);
let n327 = n326.x;
let n328 = n326.y;
let n329 = n326.z;
let n330 = n326.w;
let n331 = (n322 + n327);
let n332 = n331;
let n333 = (n320 * n332);
n20 = (n20 + select(f32(0), n333, n301));
let n334 = n314;
let n335 = f32(n41[n307]);
let n336 = n335;
let n337 = (n334 * n336);
let n338 = (n323 + n328);
let n339 = n338;
let n340 = (n337 * n339);
n20 = (n20 + select(f32(0), n340, n301));
let n341 = n315;
let n342 = f32(n41[n309]);
let n343 = n342;
let n344 = (n341 * n343);
let n345 = (n324 + n329);
let n346 = n345;
let n347 = (n344 * n346);
n20 = (n20 + select(f32(0), n347, n301));
let n348 = n316;
let n349 = f32(n41[n311]);
let n350 = n349;
let n351 = (n348 * n350);
let n352 = (n325 + n330);
let n353 = n352;
let n354 = (n351 * n353);
n20 = (n20 + select(f32(0), n354, n301));
let n355 = n7 + 192u;
let n356 = n355 < n11;
let n357 = min(n355, n11 - 1u);
let n358 = n12 + n357;
let n359 = 4u * n358 + 0u;
let n360 = 4u * n357 + 0u;
let n361 = 4u * n358 + 1u;
let n362 = 4u * n357 + 1u;
let n363 = 4u * n358 + 2u;
let n364 = 4u * n357 + 2u;
let n365 = 4u * n358 + 3u;
let n366 = 4u * n357 + 3u;
let n367 = vec4<f32>(n34[n358]);
let n368 = n367.x;
let n369 = n367.y;
let n370 = n367.z;
let n371 = n367.w;
let n372 = n368;
let n373 = f32(n41[n360]);
let n374 = n373;
let n375 = (n372 * n374);
let n376 = vec4<f32>(n45[n358]);
let n377 = n376.x;
let n378 = n376.y;
let n379 = n376.z;
let n380 = n376.w;
let n381 = vec4<f32>(n51[n358]);
let n382 = n381.x;
let n383 = n381.y;
let n384 = n381.z;
let n385 = n381.w;
let n386 = (n377 + n382);
let n387 = n386;
let n388 = (n375 * n387);
n20 = (n20 + select(f32(0), n388, n356));
let n389 = n369;
let n390 = f32(n41[n362]);
let n391 = n390;
let n392 = (n389 * n391);
let n393 = (n378 + n383);
let n394 = n393;
let n395 = (n392 * n394);
n20 = (n20 + select(f32(0), n395, n356));
let n396 = n370;
let n397 = f32(n41[n364]);
let n398 = n397;
let n399 = (n396 * n398);
let n400 = (n379 + n384);
let n401 = n400;
let n402 = (n399 * n401);
n20 = (n20 + select(f32(0), n402, n356));
let n403 = n371;
let n404 = f32(n41[n366]);
let n405 = n404;
let n406 = (n403 * n405);
let n407 = (n380 + n385);
let n408 = n407;
let n409 = (n406 * n408);
n20 = (n20 + select(f32(0), n409, n356));
let n410 = n7 + 224u;
let n411 = n410 < n11;
let n412 = min(n410, n11 - 1u);
let n413 = n12 + n412;
let n414 = 4u * n413 + 0u;
let n415 = 4u * n412 + 0u;
let n416 = 4u * n413 + 1u;
let n417 = 4u * n412 + 1u;
let n418 = 4u * n413 + 2u;
let n419 = 4u * n412 + 2u;
let n420 = 4u * n413 + 3u;
let n421 = 4u * n412 + 3u;
let n422 = vec4<f32>(n34[n413]);
let n423 = n422.x;
let n424 = n422.y;
let n425 = n422.z;
let n426 = n422.w;
let n427 = n423;
let n428 = f32(n41[n415]);
let n429 = n428;
let n430 = (n427 * n429);
let n431 = vec4<f32>(n45[n413]);
let n432 = n431.x;
let n433 = n431.y;
let n434 = n431.z;
let n435 = n431.w;
let n436 = vec4<f32>(n51[n413]);
let n437 = n436.x;
let n438 = n436.y;
let n439 = n436.z;
let n440 = n436.w;
let n441 = (n432 + n437);
let n442 = n441;
let n443 = (n430 * n442);
n20 = (n20 + select(f32(0), n443, n411));
let n444 = n424;
let n445 = f32(n41[n417]);
let n446 = n445;
let n447 = (n444 * n446);
let n448 = (n433 + n438);
let n449 = n448;
let n450 = (n447 * n449);
n20 = (n20 + select(f32(0), n450, n411));
let n451 = n425;
let n452 = f32(n41[n419]);
let n453 = n452;
let n454 = (n451 * n453);
let n455 = (n434 + n439);
let n456 = n455;
let n457 = (n454 * n456);
n20 = (n20 + select(f32(0), n457, n411));
let n458 = n426;
let n459 = f32(n41[n421]);
let n460 = n459;
let n461 = (n458 * n460);
let n462 = (n435 + n440);
let n463 = n462;
let n464 = (n461 * n463);
n20 = (n20 + select(f32(0), n464, n411));
let n465 = subgroupAdd(n20);
let n466 = n465;
let n467 = (n466 * n15);
let n468 = (n467 * n13);
let n469 = (n468 * n16);
let n470 = n471(n469, n18);
let n472 = (n470 * n19);
let n473 = vec4<f32>(n474[n24]);
let n475 = n473.x;
let n476 = n473.y;
let n477 = n473.z;
let n478 = n473.w;
let n479 = (n43 * n13);
let n480 = (n472 * n57);
let n481 = (n479 + n480);
let n482 = n483(n484(n481));
let n485 = (n475 + n482);
let n486 = (n62 * n13);
let n487 = (n472 * n64);
let n488 = (n486 + n487);
let n489 = n483(n484(n488));
let n490 = (n476 + n489);
let n491 = (n69 * n13);
let n492 = (n472 * n71);
let n493 = (n491 + n492);
let n494 = n483(n484(n493));
let n495 = (n477 + n494);
let n496 = (n76 * n13);
let n497 = (n472 * n78);
let n498 = (n496 + n497);
let n499 = n483(n484(n498));
let n500 = (n478 + n499);
if (n9 && n22) {
n501[n24] = vec4<f16>(vec4<f32>(n485, n490, n495, n500));
}
let n502 = vec4<f32>(n474[n83]);
let n503 = n502.x;
let n504 = n502.y;
let n505 = n502.z;
let n506 = n502.w;
let n507 = (n100 * n13);
let n508 = (n472 * n112);
let n509 = (n507 + n508);
let n510 = n483(n484(n509));
let n511 = (n503 + n510);
let n512 = (n117 * n13);
let n513 = (n472 * n119);
let n514 = (n512 + n513);
let n515 = n483(n484(n514));
let n516 = (n504 + n515);
let n517 = (n124 * n13);
let n518 = (n472 * n126);
let n519 = (n517 + n518);
let n520 = n483(n484(n519));
let n521 = (n505 + n520);
let n522 = (n131 * n13);
let n523 = (n472 * n133);
let n524 = (n522 + n523);
let n525 = n483(n484(n524));
let n526 = (n506 + n525);
if (n9 && n81) {
n501[n83] = vec4<f16>(vec4<f32>(n511, n516, n521, n526));
}
let n527 = vec4<f32>(n474[n138]);
let n528 = n527.x;
let n529 = n527.y;
let n530 = n527.z;
let n531 = n527.w;
let n532 = (n155 * n13);
let n533 = (n472 * n167);
let n534 = (n532 + n533);
let n535 = n483(n484(n534));
let n536 = (n528 + n535);
let n537 = (n172 * n13);
let n538 = (n472 * n174);
let n539 = (n537 + n538);
let n540 = n483(n484(n539));
let n541 = (n529 + n540);
let n542 = (n179 * n13);
let n543 = (n472 * n181);
let n544 = (n542 + n543);
let n545 = n483(n484(n544));
let n546 = (n530 + n545);
let n547 = (n186 * n13);
let n548 = (n472 * n188);
let n549 = (n547 + n548);
let n550 = n483(n484(n549));
let n551 = (n531 + n550);
if (n9 && n136) {
n501[n138] = vec4<f16>(vec4<f32>(n536, n541, n546, n551));
}
let n552 = vec4<f32>(n474[n193]);
let n553 = n552.x;
let n554 = n552.y;
let n555 = n552.z;
let n556 = n552.w;
let n557 = (n210 * n13);
let n558 = (n472 * n222);
let n559 = (n557 + n558);
let n560 = n483(n484(n559));
let n561 = (n553 + n560);
let n562 = (n227 * n13);
let n563 = (n472 * n229);
let n564 = (n562 + n563);
let n565 = n483(n484(n564));
let n566 = (n554 + n565);
let n567 = (n234 * n13);
let n568 = (n472 * n236);
let n569 = (n567 + n568);
let n570 = n483(n484(n569));
let n571 = (n555 + n570);
let n572 = (n241 * n13);
let n573 = (n472 * n243);
let n574 = (n572 + n573);
let n575 = n483(n484(n574));
let n576 = (n556 + n575);
if (n9 && n191) {
n501[n193] = vec4<f16>(vec4<f32>(n561, n566, n571, n576));
}
let n577 = vec4<f32>(n474[n248]);
let n578 = n577.x;
let n579 = n577.y;
let n580 = n577.z;
let n581 = n577.w;
let n582 = (n265 * n13);
let n583 = (n472 * n277);
let n584 = (n582 + n583);
let n585 = n483(n484(n584));
let n586 = (n578 + n585);
let n587 = (n282 * n13);
let n588 = (n472 * n284);
let n589 = (n587 + n588);
let n590 = n483(n484(n589));
let n591 = (n579 + n590);
let n592 = (n289 * n13);
let n593 = (n472 * n291);
let n594 = (n592 + n593);
let n595 = n483(n484(n594));
let n596 = (n580 + n595);
let n597 = (n296 * n13);
let n598 = (n472 * n298);
let n599 = (n597 + n598);
let n600 = n483(n484(n599));
let n601 = (n581 + n600);
if (n9 && n246) {
n501[n248] = vec4<f16>(vec4<f32>(n586, n591, n596, n601));
}
let n602 = vec4<f32>(n474[n303]);
let n603 = n602.x;
let n604 = n602.y;
let n605 = n602.z;
let n606 = n602.w;
let n607 = (n320 * n13);
let n608 = (n472 * n332);
let n609 = (n607 + n608);
let n610 = n483(n484(n609));
let n611 = (n603 + n610);
let n612 = (n337 * n13);
let n613 = (n472 * n339);
let n614 = (n612 + n613);
let n615 = n483(n484(n614));
let n616 = (n604 + n615);
let n617 = (n344 * n13);
let n618 = (n472 * n346);
let n619 = (n617 + n618);
let n620 = n483(n484(n619));
let n621 = (n605 + n620);
let n622 = (n351 * n13);
let n623 = (n472 * n353);
let n624 = (n622 + n623);
let n625 = n483(n484(n624));
let n626 = (n606 + n625);
if (n9 && n301) {
n501[n303] = vec4<f16>(vec4<f32>(n611, n616, n621, n626));
}
let n627 = vec4<f32>(n474[n358]);
let n628 = n627.x;
let n629 = n627.y;
let n630 = n627.z;
let n631 = n627.w;
let n632 = (n375 * n13);
let n633 = (n472 * n387);
let n634 = (n632 + n633);
let n635 = n483(n484(n634));
let n636 = (n628 + n635);
let n637 = (n392 * n13);
let n638 = (n472 * n394);
let n639 = (n637 + n638);
let n640 = n483(n484(n639));
let n641 = (n629 + n640);
let n642 = (n399 * n13);
let n643 = (n472 * n401);
let n644 = (n642 + n643);
let n645 = n483(n484(n644));
let n646 = (n630 + n645);
let n647 = (n406 * n13);
let n648 = (n472 * n408);
let n649 = (n647 + n648);
let n650 = n483(n484(n649));
let n651 = (n631 + n650);
if (n9 && n356) {
n501[n358] = vec4<f16>(vec4<f32>(n636, n641, n646, n651));
}
let n652 = vec4<f32>(n474[n413]);
let n653 = n652.x;
let n654 = n652.y;
let n655 = n652.z;
let n656 = n652.w;
let n657 = (n430 * n13);
let n658 = (n472 * n442);
let n659 = (n657 + n658);
let n660 = n483(n484(n659));
let n661 = (n653 + n660);
let n662 = (n447 * n13);
let n663 = (n472 * n449);
let n664 = (n662 + n663);
let n665 = n483(n484(n664));
let n666 = (n654 + n665);
let n667 = (n454 * n13);
let n668 = (n472 * n456);
let n669 = (n667 + n668);
let n670 = n483(n484(n669));
let n671 = (n655 + n670);
let n672 = (n461 * n13);
let n673 = (n472 * n463);
let n674 = (n672 + n673);
let n675 = n483(n484(n674));
let n676 = (n656 + n675);
if (n9 && n411) {
n501[n413] = vec4<f16>(vec4<f32>(n661, n666, n671, n676));
}
}
// 4ed9cc9073e5
const n0 = 32u;
// 4ef4a512c590
alias n0 = vec2<u32>;
// 4f2ee29f4f79
fn n0(n1: f32) -> f32 {
var n2 = n1;
return n2;
}
// 506df318a29a
fn n0(x: f32, n1: f32) -> f32 {
let n2 = bitcast<u32>(x);
let n3 = select(select(0x7fc00000u, 0x7f800000u, n2 == 0x7f800000u), 0xff800000u, (n2 << 1u) == 0u);
return select(n1, n4(n3), n2 - 1u >= 0x7f7fffffu);
}
// 50922447e0e6
var<workgroup> n0: array<f32, 256>;
// 50eae4c280ed
fn n0(group: vec3<u32>) -> vec3<u32> {
var n1 = group;
n2 = 0u;
var n3 = n4[0].z;
let n5 = (n4[0].z + n6 - 1u) / n6;
if (n1.x >= n5) {
n1.x -= n5;
n2 = 1u;
n3 = n4[3].x;
let n7 = (n4[3].x + n6 - 1u) / n6;
if (n1.x >= n7) {
n1.x -= n7;
n2 = 2u;
n3 = n4[5].z;
}}
n1 *= vec3<u32>(n6, n8, 1u);
return n1;
}
// 5141ef707971
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15[n1];
let n16 = n14.x;
let n17 = n14.y;
let n18 = n14.z;
let n19 = n14.w;
let n20 = (n10 + n16);
let n21 = n22[n1];
let n23 = n21.x;
let n24 = n21.y;
let n25 = n21.z;
let n26 = n21.w;
let n27 = (n20 + n23);
let n28 = n29[n1];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n27 + n30);
let n35 = n36[n1];
let n37 = n35.x;
let n38 = n35.y;
let n39 = n35.z;
let n40 = n35.w;
let n41 = (n34 + n37);
let n42 = (n11 + n17);
let n43 = (n42 + n24);
let n44 = (n43 + n31);
let n45 = (n44 + n38);
let n46 = (n12 + n18);
let n47 = (n46 + n25);
let n48 = (n47 + n32);
let n49 = (n48 + n39);
let n50 = (n13 + n19);
let n51 = (n50 + n26);
let n52 = (n51 + n33);
let n53 = (n52 + n40);
n54[n1] = vec4<f32>(n41, n45, n49, n53);
}
// 51610b69726b
fn n0(n1: u32) -> u32 { return n2.n3; }
// 51f39eb0fac3
fn n0() -> f32 {
return n1(0x7fc00000u);
}
// 52e92fb87f6e
@group(0) @binding(10) var<storage, read> n0: array<f32>;
// 533140401597
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 1u * 16u;
let n18 = n16 % 1u * 32u;
let n19 = (n2 / 32u);
let n20 = n2 % 32u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (4u * n25[1].x) >> 2u;
let n27 = ((((n2 / 8u) & 1u) << 2u) | (((n2 / 8u) & 6u) >> 1u) | ((n2 / 8u) & ~7u));
let n28 = n2 % 8u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (16u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = vec4<n38>();
var n39 = vec4<n38>();
var n40 = vec4<n38>();
var n41 = vec4<n38>();
var n42 = vec4<n38>();
var n43 = vec4<n38>();
var n44 = vec4<n38>();
var n45 = vec4<n38>();
var n46 = vec4<n38>();
var n47 = vec4<n38>();
var n48 = vec4<n38>();
var n49 = vec4<n38>();
{
let n50 = select(0u, 0u, 0u < n9);
let n51 = n23 + (n50 >> 2u);
n37 = n52[n51 + 0u * n26];
n39 = n52[n51 + 1u * n26];
n40 = n52[n51 + 2u * n26];
n41 = n52[n51 + 3u * n26];
let n53 = n31 + n50 * (n25[1].w >> 2u);
n42 = n54[n53 + 0u * n33];
n43 = n54[n53 + 1u * n33];
n44 = n54[n53 + 2u * n33];
n45 = n54[n53 + 3u * n33];
n46 = n54[n53 + 4u * n33];
n47 = n54[n53 + 5u * n33];
n48 = n54[n53 + 6u * n33];
n49 = n54[n53 + 7u * n33];
}
var n55 = vec4<n38>();
var n56 = vec4<n38>();
var n57 = vec4<n38>();
var n58 = vec4<n38>();
var n59 = vec4<n38>();
var n60 = vec4<n38>();
var n61 = vec4<n38>();
var n62 = vec4<n38>();
var n63 = vec4<n38>();
var n64 = vec4<n38>();
var n65 = vec4<n38>();
var n66 = vec4<n38>();
{
let n50 = select(0u, 128u, 128u < n9);
let n51 = n23 + (n50 >> 2u);
n55 = n52[n51 + 0u * n26];
n56 = n52[n51 + 1u * n26];
n57 = n52[n51 + 2u * n26];
n58 = n52[n51 + 3u * n26];
let n53 = n31 + n50 * (n25[1].w >> 2u);
n59 = n54[n53 + 0u * n33];
n60 = n54[n53 + 1u * n33];
n61 = n54[n53 + 2u * n33];
n62 = n54[n53 + 3u * n33];
n63 = n54[n53 + 4u * n33];
n64 = n54[n53 + 5u * n33];
n65 = n54[n53 + 6u * n33];
n66 = n54[n53 + 7u * n33];
}
for (var n67 = 0u; n67 < n9; n67 += 2u * n68) {
{
n69[n21 + (0u * 4u) * n22] = n37;
n69[n21 + (1u * 4u) * n22] = n39;
n69[n21 + (2u * 4u) * n22] = n40;
n69[n21 + (3u * 4u) * n22] = n41;
n70[n29 + (0u * 16u) * n30] = n42;
n70[n29 + (1u * 16u) * n30] = n43;
n70[n29 + (2u * 16u) * n30] = n44;
n70[n29 + (3u * 16u) * n30] = n45;
n70[n29 + (4u * 16u) * n30] = n46;
n70[n29 + (5u * 16u) * n30] = n47;
n70[n29 + (6u * 16u) * n30] = n48;
n70[n29 + (7u * 16u) * n30] = n49;
workgroupBarrier();
let n71 = n67 + 2u * n68;
let n50 = select(0u, n71, n71 < n9);
let n51 = n23 + (n50 >> 2u);
n37 = n52[n51 + 0u * n26];
n39 = n52[n51 + 1u * n26];
n40 = n52[n51 + 2u * n26];
n41 = n52[n51 + 3u * n26];
let n53 = n31 + n50 * (n25[1].w >> 2u);
n42 = n54[n53 + 0u * n33];
n43 = n54[n53 + 1u * n33];
n44 = n54[n53 + 2u * n33];
n45 = n54[n53 + 3u * n33];
n46 = n54[n53 + 4u * n33];
n47 = n54[n53 + 5u * n33];
n48 = n54[n53 + 6u * n33];
n49 = n54[n53 + 7u * n33];
{
let n72 = n73(n17 + 0u, n14 * 32u + 0u);
let n74 = n75(n18 + 0u, n14 * 32u + 0u);
n34 = coopMultiplyAdd(n72, n74, n34);
let n76 = n75(n18 + 16u, n14 * 32u + 0u);
n36 = coopMultiplyAdd(n72, n76, n36);
}
{
let n72 = n73(n17 + 0u, n14 * 32u + 16u);
let n74 = n75(n18 + 0u, n14 * 32u + 16u);
n34 = coopMultiplyAdd(n72, n74, n34);
let n76 = n75(n18 + 16u, n14 * 32u + 16u);
n36 = coopMultiplyAdd(n72, n76, n36);
}
workgroupBarrier();
}
for (var n77 = n67 + n68 < n9; n77; n77 = false) {
n69[n21 + (0u * 4u) * n22] = n55;
n69[n21 + (1u * 4u) * n22] = n56;
n69[n21 + (2u * 4u) * n22] = n57;
n69[n21 + (3u * 4u) * n22] = n58;
n70[n29 + (0u * 16u) * n30] = n59;
n70[n29 + (1u * 16u) * n30] = n60;
n70[n29 + (2u * 16u) * n30] = n61;
n70[n29 + (3u * 16u) * n30] = n62;
n70[n29 + (4u * 16u) * n30] = n63;
n70[n29 + (5u * 16u) * n30] = n64;
n70[n29 + (6u * 16u) * n30] = n65;
n70[n29 + (7u * 16u) * n30] = n66;
workgroupBarrier();
let n71 = n67 + 3u * n68;
let n50 = select(0u, n71, n71 < n9);
let n51 = n23 + (n50 >> 2u);
n55 = n52[n51 + 0u * n26];
n56 = n52[n51 + 1u * n26];
n57 = n52[n51 + 2u * n26];
n58 = n52[n51 + 3u * n26];
let n53 = n31 + n50 * (n25[1].w >> 2u);
n59 = n54[n53 + 0u * n33];
n60 = n54[n53 + 1u * n33];
n61 = n54[n53 + 2u * n33];
n62 = n54[n53 + 3u * n33];
n63 = n54[n53 + 4u * n33];
n64 = n54[n53 + 5u * n33];
n65 = n54[n53 + 6u * n33];
n66 = n54[n53 + 7u * n33];
{
let n72 = n73(n17 + 0u, n14 * 32u + 0u);
let n74 = n75(n18 + 0u, n14 * 32u + 0u);
n34 = coopMultiplyAdd(n72, n74, n34);
let n76 = n75(n18 + 16u, n14 * 32u + 0u);
n36 = coopMultiplyAdd(n72, n76, n36);
}
{
let n72 = n73(n17 + 0u, n14 * 32u + 16u);
let n74 = n75(n18 + 0u, n14 * 32u + 16u);
n34 = coopMultiplyAdd(n72, n74, n34);
let n76 = n75(n18 + 16u, n14 * 32u + 16u);
n36 = coopMultiplyAdd(n72, n76, n36);
}
workgroupBarrier();
}
}
let n78 = n11 * n79 * n80;
let n81 = n78 + 0u;
coopStoreT(n34, &n82[n81], n80);
workgroupBarrier();
if (n14 == 0u) {
n83(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n78, n13);
}
workgroupBarrier();
coopStoreT(n36, &n82[n81], n80);
workgroupBarrier();
if (n14 == 0u) {
n83(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n78, n13);
}
workgroupBarrier();
}
// 5335b0535112
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
let n32 = n7 + 256u;
let n33 = n32 < n11;
let n34 = min(n32, n11 - 1u);
let n35 = n12 + n34;
let n36 = 4u * n35 + 0u;
let n37 = 4u * n34 + 0u;
let n38 = 4u * n35 + 1u;
let n39 = 4u * n34 + 1u;
let n40 = 4u * n35 + 2u;
let n41 = 4u * n34 + 2u;
let n42 = 4u * n35 + 3u;
let n43 = 4u * n34 + 3u;
let n44 = n27[n35];
let n45 = n44.x;
let n46 = n44.y;
let n47 = n44.z;
let n48 = n44.w;
n13 = (n13 + select(f32(0), n45, n33));
n13 = (n13 + select(f32(0), n46, n33));
n13 = (n13 + select(f32(0), n47, n33));
n13 = (n13 + select(f32(0), n48, n33));
n49[n3] = n13;
workgroupBarrier();
for (var n50 = 128u; n50 > 0u; n50 >>= 1u) {
if (n7 < n50) { n49[n3] = (n49[n3] + n49[n3 + n50]); }
workgroupBarrier();
}
let n51 = n49[n3 - n7];
workgroupBarrier();
var n52: f32 = f32(0);
let n53 = n54[n17];
let n55 = n53.x;
let n56 = n53.y;
let n57 = n53.z;
let n58 = n53.w;
let n59 = (n55 * n51);
n52 = (n52 + select(f32(0), n59, n15));
let n60 = (n56 * n51);
n52 = (n52 + select(f32(0), n60, n15));
let n61 = (n57 * n51);
n52 = (n52 + select(f32(0), n61, n15));
let n62 = (n58 * n51);
n52 = (n52 + select(f32(0), n62, n15));
let n63 = n54[n35];
let n64 = n63.x;
let n65 = n63.y;
let n66 = n63.z;
let n67 = n63.w;
let n68 = (n64 * n51);
n52 = (n52 + select(f32(0), n68, n33));
let n69 = (n65 * n51);
n52 = (n52 + select(f32(0), n69, n33));
let n70 = (n66 * n51);
n52 = (n52 + select(f32(0), n70, n33));
let n71 = (n67 * n51);
n52 = (n52 + select(f32(0), n71, n33));
n49[n3] = n52;
workgroupBarrier();
for (var n50 = 128u; n50 > 0u; n50 >>= 1u) {
if (n7 < n50) { n49[n3] = (n49[n3] + n49[n3 + n50]); }
workgroupBarrier();
}
let n72 = n49[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n73[n10] = n72;
}
}
// 53894c2032c5
@group(0) @binding(7) var<storage, read_write> n0: array<vec4<f16>>;
// 540bc8664fb1
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[2].z);
let n17 = (n3.x * n16);
let n18 = bitcast<f32>(n5[2].w);
let n19 = (n3.x * n18);
let n20 = n21(n19);
let n22 = bitcast<f32>(n5[3].x);
let n23 = (n20 + n22);
let n24 = (n17 * n23);
let n25 = (n3.y * n16);
let n26 = (n3.y * n18);
let n27 = n21(n26);
let n28 = (n27 + n22);
let n29 = (n25 * n28);
let n30 = (n3.z * n16);
let n31 = (n3.z * n18);
let n32 = n21(n31);
let n33 = (n32 + n22);
let n34 = (n30 * n33);
let n35 = (n3.w * n16);
let n36 = (n3.w * n18);
let n37 = n21(n36);
let n38 = (n37 + n22);
let n39 = (n35 * n38);
n40[n7] = vec4<f16>(vec4<f32>(n24, n29, n34, n39));
}
// 5683bdf7f655
@group(0) @binding(5) var<storage, read_write> n0: array<f16>;
// 57a401ab16d9
const n0: u32 = 64u;
// 57ba57758614
@group(0) @binding(10) var<uniform> n0: array<vec4<u32>, 3>;
// 581d9bb5495d
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
let n32 = n7 + 128u;
let n33 = n32 < n11;
let n34 = min(n32, n11 - 1u);
let n35 = n12 + n34;
let n36 = 4u * n35 + 0u;
let n37 = 4u * n34 + 0u;
let n38 = 4u * n35 + 1u;
let n39 = 4u * n34 + 1u;
let n40 = 4u * n35 + 2u;
let n41 = 4u * n34 + 2u;
let n42 = 4u * n35 + 3u;
let n43 = 4u * n34 + 3u;
let n44 = n27[n35];
let n45 = n44.x;
let n46 = n44.y;
let n47 = n44.z;
let n48 = n44.w;
n13 = (n13 + select(f32(0), n45, n33));
n13 = (n13 + select(f32(0), n46, n33));
n13 = (n13 + select(f32(0), n47, n33));
n13 = (n13 + select(f32(0), n48, n33));
let n49 = n7 + 256u;
let n50 = n49 < n11;
let n51 = min(n49, n11 - 1u);
let n52 = n12 + n51;
let n53 = 4u * n52 + 0u;
let n54 = 4u * n51 + 0u;
let n55 = 4u * n52 + 1u;
let n56 = 4u * n51 + 1u;
let n57 = 4u * n52 + 2u;
let n58 = 4u * n51 + 2u;
let n59 = 4u * n52 + 3u;
let n60 = 4u * n51 + 3u;
let n61 = n27[n52];
let n62 = n61.x;
let n63 = n61.y;
let n64 = n61.z;
let n65 = n61.w;
n13 = (n13 + select(f32(0), n62, n50));
n13 = (n13 + select(f32(0), n63, n50));
n13 = (n13 + select(f32(0), n64, n50));
n13 = (n13 + select(f32(0), n65, n50));
let n66 = n7 + 384u;
let n67 = n66 < n11;
let n68 = min(n66, n11 - 1u);
let n69 = n12 + n68;
let n70 = 4u * n69 + 0u;
let n71 = 4u * n68 + 0u;
let n72 = 4u * n69 + 1u;
let n73 = 4u * n68 + 1u;
let n74 = 4u * n69 + 2u;
let n75 = 4u * n68 + 2u;
let n76 = 4u * n69 + 3u;
let n77 = 4u * n68 + 3u;
let n78 = n27[n69];
let n79 = n78.x;
let n80 = n78.y;
let n81 = n78.z;
let n82 = n78.w;
n13 = (n13 + select(f32(0), n79, n67));
n13 = (n13 + select(f32(0), n80, n67));
n13 = (n13 + select(f32(0), n81, n67));
n13 = (n13 + select(f32(0), n82, n67));
let n83 = n7 + 512u;
let n84 = n83 < n11;
let n85 = min(n83, n11 - 1u);
let n86 = n12 + n85;
let n87 = 4u * n86 + 0u;
let n88 = 4u * n85 + 0u;
let n89 = 4u * n86 + 1u;
let n90 = 4u * n85 + 1u;
let n91 = 4u * n86 + 2u;
let n92 = 4u * n85 + 2u;
let n93 = 4u * n86 + 3u;
let n94 = 4u * n85 + 3u;
let n95 = n27[n86];
let n96 = n95.x;
let n97 = n95.y;
let n98 = n95.z;
let n99 = n95.w;
n13 = (n13 + select(f32(0), n96, n84));
n13 = (n13 + select(f32(0), n97, n84));
n13 = (n13 + select(f32(0), n98, n84));
n13 = (n13 + select(f32(0), n99, n84));
let n100 = n7 + 640u;
let n101 = n100 < n11;
let n102 = min(n100, n11 - 1u);
let n103 = n12 + n102;
let n104 = 4u * n103 + 0u;
let n105 = 4u * n102 + 0u;
let n106 = 4u * n103 + 1u;
let n107 = 4u * n102 + 1u;
let n108 = 4u * n103 + 2u;
let n109 = 4u * n102 + 2u;
let n110 = 4u * n103 + 3u;
let n111 = 4u * n102 + 3u;
let n112 = n27[n103];
let n113 = n112.x;
let n114 = n112.y;
let n115 = n112.z;
let n116 = n112.w;
n13 = (n13 + select(f32(0), n113, n101));
n13 = (n13 + select(f32(0), n114, n101));
n13 = (n13 + select(f32(0), n115, n101));
n13 = (n13 + select(f32(0), n116, n101));
let n117 = n7 + 768u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = n27[n120];
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
n13 = (n13 + select(f32(0), n130, n118));
n13 = (n13 + select(f32(0), n131, n118));
n13 = (n13 + select(f32(0), n132, n118));
n13 = (n13 + select(f32(0), n133, n118));
let n134 = n7 + 896u;
let n135 = n134 < n11;
let n136 = min(n134, n11 - 1u);
let n137 = n12 + n136;
let n138 = 4u * n137 + 0u;
let n139 = 4u * n136 + 0u;
let n140 = 4u * n137 + 1u;
let n141 = 4u * n136 + 1u;
let n142 = 4u * n137 + 2u;
let n143 = 4u * n136 + 2u;
let n144 = 4u * n137 + 3u;
let n145 = 4u * n136 + 3u;
let n146 = n27[n137];
let n147 = n146.x;
let n148 = n146.y;
let n149 = n146.z;
let n150 = n146.w;
n13 = (n13 + select(f32(0), n147, n135));
n13 = (n13 + select(f32(0), n148, n135));
n13 = (n13 + select(f32(0), n149, n135));
n13 = (n13 + select(f32(0), n150, n135));
n151[n3] = n13;
workgroupBarrier();
for (var n152 = 64u; n152 > 0u; n152 >>= 1u) {
if (n7 < n152) { n151[n3] = (n151[n3] + n151[n3 + n152]); }
workgroupBarrier();
}
let n153 = n151[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n154[n10] = n153;
}
}
// 5911fc3bbfa6
const n0: u32 = 10u;
// 5a1dc3a1e741
fn n0(n1: f32) -> f32 {
return bitcast<f32>(bitcast<u32>(n1) & 0xffffff00u);
}
// 5a5b1c81bd8b
@group(0) @binding(2) var<uniform> n0: array<vec4<u32>, 3>;
// 5aaf254e1efb
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[2u * n7] = n17(n3.x) | (n17(n3.y) << 16u);
n16[2u * n7 + 1u] = n17(n3.z) | (n17(n3.w) << 16u);
}
// 5b6dca6679a6
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[10].z + n4) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 5b859acc00ae
@group(0) @binding(6) var<storage, read_write> n0: array<f32>;
// 5bc4e9188aa2
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n7 + 32u;
let n39 = n38 < n11;
let n40 = min(n38, n11 - 1u);
let n41 = n12 + n40;
let n42 = 4u * n41 + 0u;
let n43 = 4u * n40 + 0u;
let n44 = 4u * n41 + 1u;
let n45 = 4u * n40 + 1u;
let n46 = 4u * n41 + 2u;
let n47 = 4u * n40 + 2u;
let n48 = 4u * n41 + 3u;
let n49 = 4u * n40 + 3u;
let n50 = n29[n41];
let n51 = n50.x;
let n52 = n50.y;
let n53 = n50.z;
let n54 = n50.w;
let n55 = (n51 * n51);
n15 = (n15 + select(f32(0), n55, n39));
let n56 = (n52 * n52);
n15 = (n15 + select(f32(0), n56, n39));
let n57 = (n53 * n53);
n15 = (n15 + select(f32(0), n57, n39));
let n58 = (n54 * n54);
n15 = (n15 + select(f32(0), n58, n39));
let n59 = n7 + 64u;
let n60 = n59 < n11;
let n61 = min(n59, n11 - 1u);
let n62 = n12 + n61;
let n63 = 4u * n62 + 0u;
let n64 = 4u * n61 + 0u;
let n65 = 4u * n62 + 1u;
let n66 = 4u * n61 + 1u;
let n67 = 4u * n62 + 2u;
let n68 = 4u * n61 + 2u;
let n69 = 4u * n62 + 3u;
let n70 = 4u * n61 + 3u;
let n71 = n29[n62];
let n72 = n71.x;
let n73 = n71.y;
let n74 = n71.z;
let n75 = n71.w;
let n76 = (n72 * n72);
n15 = (n15 + select(f32(0), n76, n60));
let n77 = (n73 * n73);
n15 = (n15 + select(f32(0), n77, n60));
let n78 = (n74 * n74);
n15 = (n15 + select(f32(0), n78, n60));
let n79 = (n75 * n75);
n15 = (n15 + select(f32(0), n79, n60));
let n80 = n7 + 96u;
let n81 = n80 < n11;
let n82 = min(n80, n11 - 1u);
let n83 = n12 + n82;
let n84 = 4u * n83 + 0u;
let n85 = 4u * n82 + 0u;
let n86 = 4u * n83 + 1u;
let n87 = 4u * n82 + 1u;
let n88 = 4u * n83 + 2u;
let n89 = 4u * n82 + 2u;
let n90 = 4u * n83 + 3u;
let n91 = 4u * n82 + 3u;
let n92 = n29[n83];
let n93 = n92.x;
let n94 = n92.y;
let n95 = n92.z;
let n96 = n92.w;
let n97 = (n93 * n93);
n15 = (n15 + select(f32(0), n97, n81));
let n98 = (n94 * n94);
n15 = (n15 + select(f32(0), n98, n81));
let n99 = (n95 * n95);
n15 = (n15 + select(f32(0), n99, n81));
let n100 = (n96 * n96);
n15 = (n15 + select(f32(0), n100, n81));
let n101 = n7 + 128u;
let n102 = n101 < n11;
let n103 = min(n101, n11 - 1u);
let n104 = n12 + n103;
let n105 = 4u * n104 + 0u;
let n106 = 4u * n103 + 0u;
let n107 = 4u * n104 + 1u;
let n108 = 4u * n103 + 1u;
let n109 = 4u * n104 + 2u;
let n110 = 4u * n103 + 2u;
let n111 = 4u * n104 + 3u;
let n112 = 4u * n103 + 3u;
let n113 = n29[n104];
let n114 = n113.x;
let n115 = n113.y;
let n116 = n113.z;
let n117 = n113.w;
let n118 = (n114 * n114);
n15 = (n15 + select(f32(0), n118, n102));
let n119 = (n115 * n115);
n15 = (n15 + select(f32(0), n119, n102));
let n120 = (n116 * n116);
n15 = (n15 + select(f32(0), n120, n102));
let n121 = (n117 * n117);
n15 = (n15 + select(f32(0), n121, n102));
let n122 = n7 + 160u;
let n123 = n122 < n11;
let n124 = min(n122, n11 - 1u);
let n125 = n12 + n124;
let n126 = 4u * n125 + 0u;
let n127 = 4u * n124 + 0u;
let n128 = 4u * n125 + 1u;
let n129 = 4u * n124 + 1u;
let n130 = 4u * n125 + 2u;
let n131 = 4u * n124 + 2u;
let n132 = 4u * n125 + 3u;
let n133 = 4u * n124 + 3u;
let n134 = n29[n125];
let n135 = n134.x;
let n136 = n134.y;
let n137 = n134.z;
let n138 = n134.w;
let n139 = (n135 * n135);
n15 = (n15 + select(f32(0), n139, n123));
let n140 = (n136 * n136);
n15 = (n15 + select(f32(0), n140, n123));
let n141 = (n137 * n137);
n15 = (n15 + select(f32(0), n141, n123));
let n142 = (n138 * n138);
n15 = (n15 + select(f32(0), n142, n123));
let n143 = n7 + 192u;
let n144 = n143 < n11;
let n145 = min(n143, n11 - 1u);
let n146 = n12 + n145;
let n147 = 4u * n146 + 0u;
let n148 = 4u * n145 + 0u;
let n149 = 4u * n146 + 1u;
let n150 = 4u * n145 + 1u;
let n151 = 4u * n146 + 2u;
let n152 = 4u * n145 + 2u;
let n153 = 4u * n146 + 3u;
let n154 = 4u * n145 + 3u;
let n155 = n29[n146];
let n156 = n155.x;
let n157 = n155.y;
let n158 = n155.z;
let n159 = n155.w;
let n160 = (n156 * n156);
n15 = (n15 + select(f32(0), n160, n144));
let n161 = (n157 * n157);
n15 = (n15 + select(f32(0), n161, n144));
let n162 = (n158 * n158);
n15 = (n15 + select(f32(0), n162, n144));
let n163 = (n159 * n159);
n15 = (n15 + select(f32(0), n163, n144));
let n164 = n7 + 224u;
let n165 = n164 < n11;
let n166 = min(n164, n11 - 1u);
let n167 = n12 + n166;
let n168 = 4u * n167 + 0u;
let n169 = 4u * n166 + 0u;
let n170 = 4u * n167 + 1u;
let n171 = 4u * n166 + 1u;
let n172 = 4u * n167 + 2u;
let n173 = 4u * n166 + 2u;
let n174 = 4u * n167 + 3u;
let n175 = 4u * n166 + 3u;
let n176 = n29[n167];
let n177 = n176.x;
let n178 = n176.y;
let n179 = n176.z;
let n180 = n176.w;
let n181 = (n177 * n177);
n15 = (n15 + select(f32(0), n181, n165));
let n182 = (n178 * n178);
n15 = (n15 + select(f32(0), n182, n165));
let n183 = (n179 * n179);
n15 = (n15 + select(f32(0), n183, n165));
let n184 = (n180 * n180);
n15 = (n15 + select(f32(0), n184, n165));
n185[n3] = n15;
workgroupBarrier();
for (var n186 = 16u; n186 > 0u; n186 >>= 1u) {
if (n7 < n186) { n185[n3] = (n185[n3] + n185[n3 + n186]); }
workgroupBarrier();
}
let n187 = n185[n3 - n7];
workgroupBarrier();
let n188 = n189(n187, n13);
let n190 = (n188 + n14);
let n191 = inverseSqrt(n190);
let n192 = (n30 * n191);
let n193 = n194[n21];
let n195 = (n192 * n193);
let n196 = (n31 * n191);
let n197 = n194[n23];
let n198 = (n196 * n197);
let n199 = (n32 * n191);
let n200 = n194[n25];
let n201 = (n199 * n200);
let n202 = (n33 * n191);
let n203 = n194[n27];
let n204 = (n202 * n203);
if (n9 && n17) {
n205[n19] = vec4<f32>(n195, n198, n201, n204);
}
let n206 = (n51 * n191);
let n207 = n194[n43];
let n208 = (n206 * n207);
let n209 = (n52 * n191);
let n210 = n194[n45];
let n211 = (n209 * n210);
let n212 = (n53 * n191);
let n213 = n194[n47];
let n214 = (n212 * n213);
let n215 = (n54 * n191);
let n216 = n194[n49];
let n217 = (n215 * n216);
if (n9 && n39) {
n205[n41] = vec4<f32>(n208, n211, n214, n217);
}
let n218 = (n72 * n191);
let n219 = n194[n64];
let n220 = (n218 * n219);
let n221 = (n73 * n191);
let n222 = n194[n66];
let n223 = (n221 * n222);
let n224 = (n74 * n191);
let n225 = n194[n68];
let n226 = (n224 * n225);
let n227 = (n75 * n191);
let n228 = n194[n70];
let n229 = (n227 * n228);
if (n9 && n60) {
n205[n62] = vec4<f32>(n220, n223, n226, n229);
}
let n230 = (n93 * n191);
let n231 = n194[n85];
let n232 = (n230 * n231);
let n233 = (n94 * n191);
let n234 = n194[n87];
let n235 = (n233 * n234);
let n236 = (n95 * n191);
let n237 = n194[n89];
let n238 = (n236 * n237);
let n239 = (n96 * n191);
let n240 = n194[n91];
let n241 = (n239 * n240);
if (n9 && n81) {
n205[n83] = vec4<f32>(n232, n235, n238, n241);
}
let n242 = (n114 * n191);
let n243 = n194[n106];
let n244 = (n242 * n243);
let n245 = (n115 * n191);
let n246 = n194[n108];
let n247 = (n245 * n246);
let n248 = (n116 * n191);
let n249 = n194[n110];
let n250 = (n248 * n249);
let n251 = (n117 * n191);
let n252 = n194[n112];
let n253 = (n251 * n252);
if (n9 && n102) {
n205[n104] = vec4<f32>(n244, n247, n250, n253);
}
let n254 = (n135 * n191);
let n255 = n194[n127];
let n256 = (n254 * n255);
let n257 = (n136 * n191);
let n258 = n194[n129];
let n259 = (n257 * n258);
let n260 = (n137 * n191);
let n261 = n194[n131];
let n262 = (n260 * n261);
let n263 = (n138 * n191);
let n264 = n194[n133];
let n265 = (n263 * n264);
if (n9 && n123) {
n205[n125] = vec4<f32>(n256, n259, n262, n265);
}
let n266 = (n156 * n191);
let n267 = n194[n148];
let n268 = (n266 * n267);
let n269 = (n157 * n191);
let n270 = n194[n150];
let n271 = (n269 * n270);
let n272 = (n158 * n191);
let n273 = n194[n152];
let n274 = (n272 * n273);
let n275 = (n159 * n191);
let n276 = n194[n154];
let n277 = (n275 * n276);
if (n9 && n144) {
n205[n146] = vec4<f32>(n268, n271, n274, n277);
}
let n278 = (n177 * n191);
let n279 = n194[n169];
let n280 = (n278 * n279);
let n281 = (n178 * n191);
let n282 = n194[n171];
let n283 = (n281 * n282);
let n284 = (n179 * n191);
let n285 = n194[n173];
let n286 = (n284 * n285);
let n287 = (n180 * n191);
let n288 = n194[n175];
let n289 = (n287 * n288);
if (n9 && n165) {
n205[n167] = vec4<f32>(n280, n283, n286, n289);
}
}
// 5c6d900a2f3d
@group(0) @binding(1) var<uniform> n0: array<vec4<u32>, 7>;
// 5ca985ff4ae8
fn n0(n1: u32, n2: u32, n3: u32, n4: u32, n5: u32, n6: u32) {
for (var n7 = n6; n7 < n8 * n8 / 4u; n7 += n9) {
let n10 = n7 / (n8 / 4u);
let n11 = n7 % (n8 / 4u);
if (n2 + n10 < n5) {
let n12 = n13[n1 + n10 * n14 + n11] * n15[(n2 + n10) / 4u][(n2 + n10) % 4u];
n16[(n4 + (n2 + n10) * n17.n18) * n19 + n3 + n11] = vec4<f16>(n12);
}
}
}
// 5cdbf4f60f8e
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = n4 / n3[2].z;
let n16 = n4 - n15 * n3[2].z - n3[2].w;
let n17 = n15 - n3[2].x;
let n18 = n16 < n3[3].x && n17 < n3[2].y;
let n19 = select(0u, n16 + n17 * n3[3].x, n18);
let n20 = n21[n19];
let n22 = n4 / n3[4].x;
let n23 = n4 - n22 * n3[4].x - n3[4].y;
let n24 = n22 - n3[3].z;
let n25 = n23 < n3[4].z && n24 < n3[3].w;
let n26 = select(0u, n23 + n24 * n3[4].z, n25);
let n27 = n28[n26];
let n29 = bitcast<f32>(n3[5].z);
let n30 = select(n29, n27, n25);
let n31 = select(n30, n20, n18);
let n32 = select(n31, n13, n11);
let n33 = n5 / n3[1].x;
let n34 = n5 - n33 * n3[1].x - n3[1].y;
let n35 = n33 - n3[0].z;
let n36 = n34 < n3[1].z && n35 < n3[0].w;
let n37 = select(0u, n34 + n35 * n3[1].z, n36);
let n38 = n14[n37];
let n39 = n5 / n3[2].z;
let n40 = n5 - n39 * n3[2].z - n3[2].w;
let n41 = n39 - n3[2].x;
let n42 = n40 < n3[3].x && n41 < n3[2].y;
let n43 = select(0u, n40 + n41 * n3[3].x, n42);
let n44 = n21[n43];
let n45 = n5 / n3[4].x;
let n46 = n5 - n45 * n3[4].x - n3[4].y;
let n47 = n45 - n3[3].z;
let n48 = n46 < n3[4].z && n47 < n3[3].w;
let n49 = select(0u, n46 + n47 * n3[4].z, n48);
let n50 = n28[n49];
let n51 = select(n29, n50, n48);
let n52 = select(n51, n44, n42);
let n53 = select(n52, n38, n36);
let n54 = n6 / n3[1].x;
let n55 = n6 - n54 * n3[1].x - n3[1].y;
let n56 = n54 - n3[0].z;
let n57 = n55 < n3[1].z && n56 < n3[0].w;
let n58 = select(0u, n55 + n56 * n3[1].z, n57);
let n59 = n14[n58];
let n60 = n6 / n3[2].z;
let n61 = n6 - n60 * n3[2].z - n3[2].w;
let n62 = n60 - n3[2].x;
let n63 = n61 < n3[3].x && n62 < n3[2].y;
let n64 = select(0u, n61 + n62 * n3[3].x, n63);
let n65 = n21[n64];
let n66 = n6 / n3[4].x;
let n67 = n6 - n66 * n3[4].x - n3[4].y;
let n68 = n66 - n3[3].z;
let n69 = n67 < n3[4].z && n68 < n3[3].w;
let n70 = select(0u, n67 + n68 * n3[4].z, n69);
let n71 = n28[n70];
let n72 = select(n29, n71, n69);
let n73 = select(n72, n65, n63);
let n74 = select(n73, n59, n57);
let n75 = n7 / n3[1].x;
let n76 = n7 - n75 * n3[1].x - n3[1].y;
let n77 = n75 - n3[0].z;
let n78 = n76 < n3[1].z && n77 < n3[0].w;
let n79 = select(0u, n76 + n77 * n3[1].z, n78);
let n80 = n14[n79];
let n81 = n7 / n3[2].z;
let n82 = n7 - n81 * n3[2].z - n3[2].w;
let n83 = n81 - n3[2].x;
let n84 = n82 < n3[3].x && n83 < n3[2].y;
let n85 = select(0u, n82 + n83 * n3[3].x, n84);
let n86 = n21[n85];
let n87 = n7 / n3[4].x;
let n88 = n7 - n87 * n3[4].x - n3[4].y;
let n89 = n87 - n3[3].z;
let n90 = n88 < n3[4].z && n89 < n3[3].w;
let n91 = select(0u, n88 + n89 * n3[4].z, n90);
let n92 = n28[n91];
let n93 = select(n29, n92, n90);
let n94 = select(n93, n86, n84);
let n95 = select(n94, n80, n78);
n96[n1] = vec4<f32>(n32, n53, n74, n95);
}
// 5d37bc93697e
@group(0) @binding(2) var<uniform> n0: array<vec4<u32>, 1>;
// 5e006be85aa7
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[8].w + n4) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 5e0573e6a77e
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].w;
let n9 = n8 / n3[1].y;
let n10 = n9 / n3[0].w;
let n11 = (n4 - n8 * n3[1].w) + (n8 - n9 * n3[1].y) * n3[1].z + (n9 - n10 * n3[0].w) * n3[1].x + n10 * n3[0].z;
let n12 = f32(n13[n11]);
let n14 = n12;
let n15 = (n4 % n3[3].x);
let n16 = n17[n15];
let n18 = (n14 * n16);
let n19 = n4 / n3[4].w;
let n20 = n19 / n3[4].y;
let n21 = (n4 - n19 * n3[4].w) + (n19 - n20 * n3[4].y) * n3[4].z + n20 * n3[4].x + n3[5].y;
let n22 = n21 / n3[7].x;
let n23 = n22 / n3[6].z;
let n24 = n23 / n3[6].x;
let n25 = (n21 - n22 * n3[7].x) + (n22 - n23 * n3[6].z) * n3[6].w + (n23 - n24 * n3[6].x) * n3[6].y + n24 * n3[5].w;
let n26 = f32(n13[n25]);
let n27 = n26;
let n28 = (n4 % n3[8].y);
let n29 = n30[n28];
let n31 = (n27 * n29);
let n32 = (n18 + n31);
let n33 = n32;
let n34 = n5 / n3[1].w;
let n35 = n34 / n3[1].y;
let n36 = n35 / n3[0].w;
let n37 = (n5 - n34 * n3[1].w) + (n34 - n35 * n3[1].y) * n3[1].z + (n35 - n36 * n3[0].w) * n3[1].x + n36 * n3[0].z;
let n38 = f32(n13[n37]);
let n39 = n38;
let n40 = (n5 % n3[3].x);
let n41 = n17[n40];
let n42 = (n39 * n41);
let n43 = n5 / n3[4].w;
let n44 = n43 / n3[4].y;
let n45 = (n5 - n43 * n3[4].w) + (n43 - n44 * n3[4].y) * n3[4].z + n44 * n3[4].x + n3[5].y;
let n46 = n45 / n3[7].x;
let n47 = n46 / n3[6].z;
let n48 = n47 / n3[6].x;
let n49 = (n45 - n46 * n3[7].x) + (n46 - n47 * n3[6].z) * n3[6].w + (n47 - n48 * n3[6].x) * n3[6].y + n48 * n3[5].w;
let n50 = f32(n13[n49]);
let n51 = n50;
let n52 = (n5 % n3[8].y);
let n53 = n30[n52];
let n54 = (n51 * n53);
let n55 = (n42 + n54);
let n56 = n55;
let n57 = n6 / n3[1].w;
let n58 = n57 / n3[1].y;
let n59 = n58 / n3[0].w;
let n60 = (n6 - n57 * n3[1].w) + (n57 - n58 * n3[1].y) * n3[1].z + (n58 - n59 * n3[0].w) * n3[1].x + n59 * n3[0].z;
let n61 = f32(n13[n60]);
let n62 = n61;
let n63 = (n6 % n3[3].x);
let n64 = n17[n63];
let n65 = (n62 * n64);
let n66 = n6 / n3[4].w;
let n67 = n66 / n3[4].y;
let n68 = (n6 - n66 * n3[4].w) + (n66 - n67 * n3[4].y) * n3[4].z + n67 * n3[4].x + n3[5].y;
let n69 = n68 / n3[7].x;
let n70 = n69 / n3[6].z;
let n71 = n70 / n3[6].x;
let n72 = (n68 - n69 * n3[7].x) + (n69 - n70 * n3[6].z) * n3[6].w + (n70 - n71 * n3[6].x) * n3[6].y + n71 * n3[5].w;
let n73 = f32(n13[n72]);
let n74 = n73;
let n75 = (n6 % n3[8].y);
let n76 = n30[n75];
let n77 = (n74 * n76);
let n78 = (n65 + n77);
let n79 = n78;
let n80 = n7 / n3[1].w;
let n81 = n80 / n3[1].y;
let n82 = n81 / n3[0].w;
let n83 = (n7 - n80 * n3[1].w) + (n80 - n81 * n3[1].y) * n3[1].z + (n81 - n82 * n3[0].w) * n3[1].x + n82 * n3[0].z;
let n84 = f32(n13[n83]);
let n85 = n84;
let n86 = (n7 % n3[3].x);
let n87 = n17[n86];
let n88 = (n85 * n87);
let n89 = n7 / n3[4].w;
let n90 = n89 / n3[4].y;
let n91 = (n7 - n89 * n3[4].w) + (n89 - n90 * n3[4].y) * n3[4].z + n90 * n3[4].x + n3[5].y;
let n92 = n91 / n3[7].x;
let n93 = n92 / n3[6].z;
let n94 = n93 / n3[6].x;
let n95 = (n91 - n92 * n3[7].x) + (n92 - n93 * n3[6].z) * n3[6].w + (n93 - n94 * n3[6].x) * n3[6].y + n94 * n3[5].w;
let n96 = f32(n13[n95]);
let n97 = n96;
let n98 = (n7 % n3[8].y);
let n99 = n30[n98];
let n100 = (n97 * n99);
let n101 = (n88 + n100);
let n102 = n101;
n103[n1] = vec4<f16>(vec4<f32>(n33, n56, n79, n102));
}
// 5e21ae76ee14
@group(0) @binding(16) var<uniform> n0: array<vec4<u32>, 14>;
// 5e8b55003156
@group(0) @binding(6) var<uniform> n0: array<vec4<u32>, 33>;
// 602fcc61f3f3
var<workgroup> n0: array<vec4<f16>, n1 * n2>;
// 615eb5a7696a
const n0: bool = false;
// 617f28fb980b
@group(0) @binding(3) var<storage, read_write> n0: array<u32>;
// 61928cb3114f
fn n0(n1: u32) {
let n2 = n3[2].w - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15(n10);
let n16 = n15(n11);
let n17 = n15(n12);
let n18 = n15(n13);
n19[n1] = vec4<f32>(n14, n16, n17, n18);
}
// 61d472907b21
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = n14[n10];
let n15 = bitcast<f32>(n5[2].w);
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = vec4<f32>(n34[n24]);
let n35 = n33.x;
let n36 = n33.y;
let n37 = n33.z;
let n38 = n33.w;
let n39 = n35;
let n40 = f32(n41[n26]);
let n42 = n40;
let n43 = (n39 * n42);
let n44 = vec4<f32>(n45[n24]);
let n46 = n44.x;
let n47 = n44.y;
let n48 = n44.z;
let n49 = n44.w;
let n50 = n46;
let n51 = (n43 * n50);
n20 = (n20 + select(f32(0), n51, n22));
let n52 = n36;
let n53 = f32(n41[n28]);
let n54 = n53;
let n55 = (n52 * n54);
let n56 = n47;
let n57 = (n55 * n56);
n20 = (n20 + select(f32(0), n57, n22));
let n58 = n37;
let n59 = f32(n41[n30]);
let n60 = n59;
let n61 = (n58 * n60);
let n62 = n48;
let n63 = (n61 * n62);
n20 = (n20 + select(f32(0), n63, n22));
let n64 = n38;
let n65 = f32(n41[n32]);
let n66 = n65;
let n67 = (n64 * n66);
let n68 = n49;
let n69 = (n67 * n68);
n20 = (n20 + select(f32(0), n69, n22));
let n70 = n7 + 32u;
let n71 = n70 < n11;
let n72 = min(n70, n11 - 1u);
let n73 = n12 + n72;
let n74 = 4u * n73 + 0u;
let n75 = 4u * n72 + 0u;
let n76 = 4u * n73 + 1u;
let n77 = 4u * n72 + 1u;
let n78 = 4u * n73 + 2u;
let n79 = 4u * n72 + 2u;
let n80 = 4u * n73 + 3u;
let n81 = 4u * n72 + 3u;
let n82 = vec4<f32>(n34[n73]);
let n83 = n82.x;
let n84 = n82.y;
let n85 = n82.z;
let n86 = n82.w;
let n87 = n83;
let n88 = f32(n41[n75]);
let n89 = n88;
let n90 = (n87 * n89);
let n91 = vec4<f32>(n45[n73]);
let n92 = n91.x;
let n93 = n91.y;
let n94 = n91.z;
let n95 = n91.w;
let n96 = n92;
let n97 = (n90 * n96);
n20 = (n20 + select(f32(0), n97, n71));
let n98 = n84;
let n99 = f32(n41[n77]);
let n100 = n99;
let n101 = (n98 * n100);
let n102 = n93;
let n103 = (n101 * n102);
n20 = (n20 + select(f32(0), n103, n71));
let n104 = n85;
let n105 = f32(n41[n79]);
let n106 = n105;
let n107 = (n104 * n106);
let n108 = n94;
let n109 = (n107 * n108);
n20 = (n20 + select(f32(0), n109, n71));
let n110 = n86;
let n111 = f32(n41[n81]);
let n112 = n111;
let n113 = (n110 * n112);
let n114 = n95;
let n115 = (n113 * n114);
n20 = (n20 + select(f32(0), n115, n71));
let n116 = n7 + 64u;
let n117 = n116 < n11;
let n118 = min(n116, n11 - 1u);
let n119 = n12 + n118;
let n120 = 4u * n119 + 0u;
let n121 = 4u * n118 + 0u;
let n122 = 4u * n119 + 1u;
let n123 = 4u * n118 + 1u;
let n124 = 4u * n119 + 2u;
let n125 = 4u * n118 + 2u;
let n126 = 4u * n119 + 3u;
let n127 = 4u * n118 + 3u;
let n128 = vec4<f32>(n34[n119]);
let n129 = n128.x;
let n130 = n128.y;
let n131 = n128.z;
let n132 = n128.w;
let n133 = n129;
let n134 = f32(n41[n121]);
let n135 = n134;
let n136 = (n133 * n135);
let n137 = vec4<f32>(n45[n119]);
let n138 = n137.x;
let n139 = n137.y;
let n140 = n137.z;
let n141 = n137.w;
let n142 = n138;
let n143 = (n136 * n142);
n20 = (n20 + select(f32(0), n143, n117));
let n144 = n130;
let n145 = f32(n41[n123]);
let n146 = n145;
let n147 = (n144 * n146);
let n148 = n139;
let n149 = (n147 * n148);
n20 = (n20 + select(f32(0), n149, n117));
let n150 = n131;
let n151 = f32(n41[n125]);
let n152 = n151;
let n153 = (n150 * n152);
let n154 = n140;
let n155 = (n153 * n154);
n20 = (n20 + select(f32(0), n155, n117));
let n156 = n132;
let n157 = f32(n41[n127]);
let n158 = n157;
let n159 = (n156 * n158);
let n160 = n141;
let n161 = (n159 * n160);
n20 = (n20 + select(f32(0), n161, n117));
let n162 = n7 + 96u;
let n163 = n162 < n11;
let n164 = min(n162, n11 - 1u);
let n165 = n12 + n164;
let n166 = 4u * n165 + 0u;
let n167 = 4u * n164 + 0u;
let n168 = 4u * n165 + 1u;
let n169 = 4u * n164 + 1u;
let n170 = 4u * n165 + 2u;
let n171 = 4u * n164 + 2u;
let n172 = 4u * n165 + 3u;
let n173 = 4u * n164 + 3u;
let n174 = vec4<f32>(n34[n165]);
let n175 = n174.x;
let n176 = n174.y;
let n177 = n174.z;
let n178 = n174.w;
let n179 = n175;
let n180 = f32(n41[n167]);
let n181 = n180;
let n182 = (n179 * n181);
let n183 = vec4<f32>(n45[n165]);
let n184 = n183.x;
let n185 = n183.y;
let n186 = n183.z;
let n187 = n183.w;
let n188 = n184;
let n189 = (n182 * n188);
n20 = (n20 + select(f32(0), n189, n163));
let n190 = n176;
let n191 = f32(n41[n169]);
let n192 = n191;
let n193 = (n190 * n192);
let n194 = n185;
let n195 = (n193 * n194);
n20 = (n20 + select(f32(0), n195, n163));
let n196 = n177;
let n197 = f32(n41[n171]);
let n198 = n197;
let n199 = (n196 * n198);
let n200 = n186;
let n201 = (n199 * n200);
n20 = (n20 + select(f32(0), n201, n163));
let n202 = n178;
let n203 = f32(n41[n173]);
let n204 = n203;
let n205 = (n202 * n204);
let n206 = n187;
let n207 = (n205 * n206);
n20 = (n20 + select(f32(0), n207, n163));
let n208 = n7 + 128u;
let n209 = n208 < n11;
let n210 = min(n208, n11 - 1u);
let n211 = n12 + n210;
let n212 = 4u * n211 + 0u;
let n213 = 4u * n210 + 0u;
let n214 = 4u * n211 + 1u;
let n215 = 4u * n210 + 1u;
let n216 = 4u * n211 + 2u;
let n217 = 4u * n210 + 2u;
let n218 = 4u * n211 + 3u;
let n219 = 4u * n210 + 3u;
let n220 = vec4<f32>(n34[n211]);
let n221 = n220.x;
let n222 = n220.y;
let n223 = n220.z;
let n224 = n220.w;
let n225 = n221;
let n226 = f32(n41[n213]);
let n227 = n226;
let n228 = (n225 * n227);
let n229 = vec4<f32>(n45[n211]);
let n230 = n229.x;
let n231 = n229.y;
let n232 = n229.z;
let n233 = n229.w;
let n234 = n230;
let n235 = (n228 * n234);
n20 = (n20 + select(f32(0), n235, n209));
let n236 = n222;
let n237 = f32(n41[n215]);
let n238 = n237;
let n239 = (n236 * n238);
let n240 = n231;
let n241 = (n239 * n240);
n20 = (n20 + select(f32(0), n241, n209));
let n242 = n223;
let n243 = f32(n41[n217]);
let n244 = n243;
let n245 = (n242 * n244);
let n246 = n232;
let n247 = (n245 * n246);
n20 = (n20 + select(f32(0), n247, n209));
let n248 = n224;
let n249 = f32(n41[n219]);
let n250 = n249;
let n251 = (n248 * n250);
let n252 = n233;
let n253 = (n251 * n252);
n20 = (n20 + select(f32(0), n253, n209));
let n254 = n7 + 160u;
let n255 = n254 < n11;
let n256 = min(n254, n11 - 1u);
let n257 = n12 + n256;
let n258 = 4u * n257 + 0u;
let n259 = 4u * n256 + 0u;
let n260 = 4u * n257 + 1u;
let n261 = 4u * n256 + 1u;
let n262 = 4u * n257 + 2u;
let n263 = 4u * n256 + 2u;
let n264 = 4u * n257 + 3u;
let n265 = 4u * n256 + 3u;
let n266 = vec4<f32>(n34[n257]);
let n267 = n266.x;
let n268 = n266.y;
let n269 = n266.z;
let n270 = n266.w;
let n271 = n267;
let n272 = f32(n41[n259]);
let n273 = n272;
let n274 = (n271 * n273);
let n275 = vec4<f32>(n45[n257]);
let n276 = n275.x;
let n277 = n275.y;
let n278 = n275.z;
let n279 = n275.w;
let n280 = n276;
let n281 = (n274 * n280);
n20 = (n20 + select(f32(0), n281, n255));
let n282 = n268;
let n283 = f32(n41[n261]);
let n284 = n283;
let n285 = (n282 * n284);
let n286 = n277;
let n287 = (n285 * n286);
n20 = (n20 + select(f32(0), n287, n255));
let n288 = n269;
let n289 = f32(n41[n263]);
let n290 = n289;
let n291 = (n288 * n290);
let n292 = n278;
let n293 = (n291 * n292);
n20 = (n20 + select(f32(0), n293, n255));
let n294 = n270;
let n295 = f32(n41[n265]);
let n296 = n295;
let n297 = (n294 * n296);
let n298 = n279;
let n299 = (n297 * n298);
n20 = (n20 + select(f32(0), n299, n255));
let n300 = n7 + 192u;
let n301 = n300 < n11;
let n302 = min(n300, n11 - 1u);
let n303 = n12 + n302;
let n304 = 4u * n303 + 0u;
let n305 = 4u * n302 + 0u;
let n306 = 4u * n303 + 1u;
let n307 = 4u * n302 + 1u;
let n308 = 4u * n303 + 2u;
let n309 = 4u * n302 + 2u;
let n310 = 4u * n303 + 3u;
let n311 = 4u * n302 + 3u;
let n312 = vec4<f32>(n34[n303]);
let n313 = n312.x;
let n314 = n312.y;
let n315 = n312.z;
let n316 = n312.w;
let n317 = n313;
let n318 = f32(n41[n305]);
let n319 = n318;
let n320 = (n317 * n319);
let n321 = vec4<f32>(n45[n303]);
let n322 = n321.x;
let n323 = n321.y;
let n324 = n321.z;
let n325 = n321.w;
let n326 = n322;
let n327 = (n320 * n326);
n20 = (n20 + select(f32(0), n327, n301));
let n328 = n314;
let n329 = f32(n41[n307]);
let n330 = n329;
let n331 = (n328 * n330);
let n332 = n323;
let n333 = (n331 * n332);
n20 = (n20 + select(f32(0), n333, n301));
let n334 = n315;
let n335 = f32(n41[n309]);
let n336 = n335;
let n337 = (n334 * n336);
let n338 = n324;
let n339 = (n337 * n338);
n20 = (n20 + select(f32(0), n339, n301));
let n340 = n316;
let n341 = f32(n41[n311]);
let n342 = n341;
let n343 = (n340 * n342);
let n344 = n325;
let n345 = (n343 * n344);
n20 = (n20 + select(f32(0), n345, n301));
let n346 = n7 + 224u;
let n347 = n346 < n11;
let n348 = min(n346, n11 - 1u);
let n349 = n12 + n348;
let n350 = 4u * n349 + 0u;
let n351 = 4u * n348 + 0u;
let n352 = 4u * n349 + 1u;
let n353 = 4u * n348 + 1u;
let n354 = 4u * n349 + 2u;
let n355 = 4u * n348 + 2u;
let n356 = 4u * n349 + 3u;
let n357 = 4u * n348 + 3u;
let n358 = vec4<f32>(n34[n349]);
let n359 = n358.x;
let n360 = n358.y;
let n361 = n358.z;
let n362 = n358.w;
let n363 = n359;
let n364 = f32(n41[n351]);
let n365 = n364;
let n366 = (n363 * n365);
let n367 = vec4<f32>(n45[n349]);
let n368 = n367.x;
let n369 = n367.y;
let n370 = n367.z;
let n371 = n367.w;
let n372 = n368;
let n373 = (n366 * n372);
n20 = (n20 + select(f32(0), n373, n347));
let n374 = n360;
let n375 = f32(n41[n353]);
let n376 = n375;
let n377 = (n374 * n376);
let n378 = n369;
let n379 = (n377 * n378);
n20 = (n20 + select(f32(0), n379, n347));
let n380 = n361;
let n381 = f32(n41[n355]);
let n382 = n381;
let n383 = (n380 * n382);
let n384 = n370;
let n385 = (n383 * n384);
n20 = (n20 + select(f32(0), n385, n347));
let n386 = n362;
let n387 = f32(n41[n357]);
let n388 = n387;
let n389 = (n386 * n388);
let n390 = n371;
let n391 = (n389 * n390);
n20 = (n20 + select(f32(0), n391, n347));
n392[n3] = n20;
workgroupBarrier();
for (var n393 = 16u; n393 > 0u; n393 >>= 1u) {
if (n7 < n393) { n392[n3] = (n392[n3] + n392[n3 + n393]); }
workgroupBarrier();
}
let n394 = n392[n3 - n7];
workgroupBarrier();
let n395 = (n394 * n15);
let n396 = (n395 * n13);
let n397 = (n396 * n16);
let n398 = n399(n397, n18);
let n400 = (n398 * n19);
let n401 = vec4<f32>(n402[n24]);
let n403 = n401.x;
let n404 = n401.y;
let n405 = n401.z;
let n406 = n401.w;
let n407 = (n43 * n13);
let n408 = (n400 * n50);
let n409 = (n407 + n408);
let n410 = n411(n412(n409));
let n413 = (n403 + n410);
let n414 = (n55 * n13);
let n415 = (n400 * n56);
let n416 = (n414 + n415);
let n417 = n411(n412(n416));
let n418 = (n404 + n417);
let n419 = (n61 * n13);
let n420 = (n400 * n62);
let n421 = (n419 + n420);
let n422 = n411(n412(n421));
let n423 = (n405 + n422);
let n424 = (n67 * n13);
let n425 = (n400 * n68);
let n426 = (n424 + n425);
let n427 = n411(n412(n426));
let n428 = (n406 + n427);
if (n9 && n22) {
n429[n24] = vec4<f16>(vec4<f32>(n413, n418, n423, n428));
}
let n430 = vec4<f32>(n402[n73]);
let n431 = n430.x;
let n432 = n430.y;
let n433 = n430.z;
let n434 = n430.w;
let n435 = (n90 * n13);
let n436 = (n400 * n96);
let n437 = (n435 + n436);
let n438 = n411(n412(n437));
let n439 = (n431 + n438);
let n440 = (n101 * n13);
let n441 = (n400 * n102);
let n442 = (n440 + n441);
let n443 = n411(n412(n442));
let n444 = (n432 + n443);
let n445 = (n107 * n13);
let n446 = (n400 * n108);
let n447 = (n445 + n446);
let n448 = n411(n412(n447));
let n449 = (n433 + n448);
let n450 = (n113 * n13);
let n451 = (n400 * n114);
let n452 = (n450 + n451);
let n453 = n411(n412(n452));
let n454 = (n434 + n453);
if (n9 && n71) {
n429[n73] = vec4<f16>(vec4<f32>(n439, n444, n449, n454));
}
let n455 = vec4<f32>(n402[n119]);
let n456 = n455.x;
let n457 = n455.y;
let n458 = n455.z;
let n459 = n455.w;
let n460 = (n136 * n13);
let n461 = (n400 * n142);
let n462 = (n460 + n461);
let n463 = n411(n412(n462));
let n464 = (n456 + n463);
let n465 = (n147 * n13);
let n466 = (n400 * n148);
let n467 = (n465 + n466);
let n468 = n411(n412(n467));
let n469 = (n457 + n468);
let n470 = (n153 * n13);
let n471 = (n400 * n154);
let n472 = (n470 + n471);
let n473 = n411(n412(n472));
let n474 = (n458 + n473);
let n475 = (n159 * n13);
let n476 = (n400 * n160);
let n477 = (n475 + n476);
let n478 = n411(n412(n477));
let n479 = (n459 + n478);
if (n9 && n117) {
n429[n119] = vec4<f16>(vec4<f32>(n464, n469, n474, n479));
}
let n480 = vec4<f32>(n402[n165]);
let n481 = n480.x;
let n482 = n480.y;
let n483 = n480.z;
let n484 = n480.w;
let n485 = (n182 * n13);
let n486 = (n400 * n188);
let n487 = (n485 + n486);
let n488 = n411(n412(n487));
let n489 = (n481 + n488);
let n490 = (n193 * n13);
let n491 = (n400 * n194);
let n492 = (n490 + n491);
let n493 = n411(n412(n492));
let n494 = (n482 + n493);
let n495 = (n199 * n13);
let n496 = (n400 * n200);
let n497 = (n495 + n496);
let n498 = n411(n412(n497));
let n499 = (n483 + n498);
let n500 = (n205 * n13);
let n501 = (n400 * n206);
let n502 = (n500 + n501);
let n503 = n411(n412(n502));
let n504 = (n484 + n503);
if (n9 && n163) {
n429[n165] = vec4<f16>(vec4<f32>(n489, n494, n499, n504));
}
let n505 = vec4<f32>(n402[n211]);
let n506 = n505.x;
let n507 = n505.y;
let n508 = n505.z;
let n509 = n505.w;
let n510 = (n228 * n13);
let n511 = (n400 * n234);
let n512 = (n510 + n511);
let n513 = n411(n412(n512));
let n514 = (n506 + n513);
let n515 = (n239 * n13);
let n516 = (n400 * n240);
let n517 = (n515 + n516);
let n518 = n411(n412(n517));
let n519 = (n507 + n518);
let n520 = (n245 * n13);
let n521 = (n400 * n246);
let n522 = (n520 + n521);
let n523 = n411(n412(n522));
let n524 = (n508 + n523);
let n525 = (n251 * n13);
let n526 = (n400 * n252);
let n527 = (n525 + n526);
let n528 = n411(n412(n527));
let n529 = (n509 + n528);
if (n9 && n209) {
n429[n211] = vec4<f16>(vec4<f32>(n514, n519, n524, n529));
}
let n530 = vec4<f32>(n402[n257]);
let n531 = n530.x;
let n532 = n530.y;
let n533 = n530.z;
let n534 = n530.w;
let n535 = (n274 * n13);
let n536 = (n400 * n280);
let n537 = (n535 + n536);
let n538 = n411(n412(n537));
let n539 = (n531 + n538);
let n540 = (n285 * n13);
let n541 = (n400 * n286);
let n542 = (n540 + n541);
let n543 = n411(n412(n542));
let n544 = (n532 + n543);
let n545 = (n291 * n13);
let n546 = (n400 * n292);
let n547 = (n545 + n546);
let n548 = n411(n412(n547));
let n549 = (n533 + n548);
let n550 = (n297 * n13);
let n551 = (n400 * n298);
let n552 = (n550 + n551);
let n553 = n411(n412(n552));
let n554 = (n534 + n553);
if (n9 && n255) {
n429[n257] = vec4<f16>(vec4<f32>(n539, n544, n549, n554));
}
let n555 = vec4<f32>(n402[n303]);
let n556 = n555.x;
let n557 = n555.y;
let n558 = n555.z;
let n559 = n555.w;
let n560 = (n320 * n13);
let n561 = (n400 * n326);
let n562 = (n560 + n561);
let n563 = n411(n412(n562));
let n564 = (n556 + n563);
let n565 = (n331 * n13);
let n566 = (n400 * n332);
let n567 = (n565 + n566);
let n568 = n411(n412(n567));
let n569 = (n557 + n568);
let n570 = (n337 * n13);
let n571 = (n400 * n338);
let n572 = (n570 + n571);
let n573 = n411(n412(n572));
let n574 = (n558 + n573);
let n575 = (n343 * n13);
let n576 = (n400 * n344);
let n577 = (n575 + n576);
let n578 = n411(n412(n577));
let n579 = (n559 + n578);
if (n9 && n301) {
n429[n303] = vec4<f16>(vec4<f32>(n564, n569, n574, n579));
}
let n580 = vec4<f32>(n402[n349]);
let n581 = n580.x;
let n582 = n580.y;
let n583 = n580.z;
let n584 = n580.w;
let n585 = (n366 * n13);
let n586 = (n400 * n372);
let n587 = (n585 + n586);
let n588 = n411(n412(n587));
let n589 = (n581 + n588);
let n590 = (n377 * n13);
let n591 = (n400 * n378);
let n592 = (n590 + n591);
let n593 = n411(n412(n592));
let n594 = (n582 + n593);
let n595 = (n383 * n13);
let n596 = (n400 * n384);
let n597 = (n595 + n596);
let n598 = n411(n412(n597));
let n599 = (n583 + n598);
let n600 = (n389 * n13);
let n601 = (n400 * n390);
let n602 = (n600 + n601);
let n603 = n411(n412(n602));
let n604 = (n584 + n603);
if (n9 && n347) {
n429[n349] = vec4<f16>(vec4<f32>(n589, n594, n599, n604));
}
}
// 62406edcc5f4
@group(0) @binding(5) var<storage, read_write> n0: array<vec2<f32>>;
// 624b1d4945dd
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15(n10);
let n16 = bitcast<f32>(n3[1].w);
let n17 = (n14 + n16);
let n18 = n15(n11);
let n19 = (n18 + n16);
let n20 = n15(n12);
let n21 = (n20 + n16);
let n22 = n15(n13);
let n23 = (n22 + n16);
let n24 = bitcast<f32>(n3[2].x);
let n25 = (n14 * n24);
let n26 = (n18 * n24);
let n27 = (n20 * n24);
let n28 = (n22 * n24);
n29[n1] = vec4<f32>(n17, n19, n21, n23);
n30[n1] = vec4<f32>(n25, n26, n27, n28);
}
// 629bbc34cded
const n0 = 2u;
// 62ba8716cd10
@group(0) @binding(6) var<uniform> n0: n1;
// 638082c0c580
@group(0) @binding(0) var<storage, read_write> n0: array<vec4<f16>>;
// 63b70fbcacff
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 64u;
let n18 = n16 % 2u * 64u;
let n19 = ((((n2 / 8u) & 1u) << 2u) | (((n2 / 8u) & 6u) >> 1u) | ((n2 / 8u) & ~7u));
let n20 = n2 % 8u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (16u * n25[1].x) >> 2u;
let n27 = (n2 & 3u) | (((n2 >> 5u) % 2u) << 2u);
let n28 = ((n2 >> 2u) & 7u) + 8u * (n2 / 64u);
let n29 = 4u * n28;
let n30 = 4u * n27 * n31 + n28;
let n32 = ((n7.n33 + (n6 + n29) * n25[2].x) >> 2u) + n27;
let n34 = n25[2].x >> 2u;
let n35 = (64u * n25[2].x) >> 2u;
var n36 = n37();
var n38 = n37();
var n39 = n37();
var n40 = n37();
var n41 = n37();
var n42 = n37();
var n43 = n37();
var n44 = n37();
var n45 = n37();
var n46 = n37();
var n47 = n37();
var n48 = n37();
var n49 = n37();
var n50 = n37();
var n51 = n37();
var n52 = n37();
var n53 = vec4<n54>();
var n55 = vec4<n54>();
var n56 = vec4<n54>();
var n57 = vec4<n54>();
var n58 = vec4<n54>();
var n59 = vec4<n54>();
var n60 = vec4<n54>();
var n61 = vec4<n54>();
var n62 = vec4<n54>();
var n63 = vec4<n54>();
var n64 = vec4<n54>();
var n65 = vec4<n54>();
var n66 = vec4<n54>();
var n67 = vec4<n54>();
var n68 = vec4<n54>();
var n69 = vec4<n54>();
{
let n70 = select(0u, 0u, 0u < n9);
let n71 = n23 + (n70 >> 2u);
n53 = n72[n71 + 0u * n26];
n55 = n72[n71 + 1u * n26];
n56 = n72[n71 + 2u * n26];
n57 = n72[n71 + 3u * n26];
n58 = n72[n71 + 4u * n26];
n59 = n72[n71 + 5u * n26];
n60 = n72[n71 + 6u * n26];
n61 = n72[n71 + 7u * n26];
let n73 = n32 + (n70 >> 2u);
n62 = n74[n73 + 0u * n35 + 0u * n34];
n63 = n74[n73 + 0u * n35 + 1u * n34];
n64 = n74[n73 + 0u * n35 + 2u * n34];
n65 = n74[n73 + 0u * n35 + 3u * n34];
n66 = n74[n73 + 1u * n35 + 0u * n34];
n67 = n74[n73 + 1u * n35 + 1u * n34];
n68 = n74[n73 + 1u * n35 + 2u * n34];
n69 = n74[n73 + 1u * n35 + 3u * n34];
}
for (var n75 = 0u; n75 < n9; n75 += 1u * n76) {
{
n77[n21 + (0u * 16u) * n22] = n53;
n77[n21 + (1u * 16u) * n22] = n55;
n77[n21 + (2u * 16u) * n22] = n56;
n77[n21 + (3u * 16u) * n22] = n57;
n77[n21 + (4u * 16u) * n22] = n58;
n77[n21 + (5u * 16u) * n22] = n59;
n77[n21 + (6u * 16u) * n22] = n60;
n77[n21 + (7u * 16u) * n22] = n61;
n78[n30 + 0u * n31 + 0u] = vec4<n54>(n62.x, n63.x, n64.x, n65.x);
n78[n30 + 1u * n31 + 0u] = vec4<n54>(n62.y, n63.y, n64.y, n65.y);
n78[n30 + 2u * n31 + 0u] = vec4<n54>(n62.z, n63.z, n64.z, n65.z);
n78[n30 + 3u * n31 + 0u] = vec4<n54>(n62.w, n63.w, n64.w, n65.w);
n78[n30 + 0u * n31 + 16u] = vec4<n54>(n66.x, n67.x, n68.x, n69.x);
n78[n30 + 1u * n31 + 16u] = vec4<n54>(n66.y, n67.y, n68.y, n69.y);
n78[n30 + 2u * n31 + 16u] = vec4<n54>(n66.z, n67.z, n68.z, n69.z);
n78[n30 + 3u * n31 + 16u] = vec4<n54>(n66.w, n67.w, n68.w, n69.w);
workgroupBarrier();
let n79 = n75 + 1u * n76;
let n70 = select(0u, n79, n79 < n9);
let n71 = n23 + (n70 >> 2u);
n53 = n72[n71 + 0u * n26];
n55 = n72[n71 + 1u * n26];
n56 = n72[n71 + 2u * n26];
n57 = n72[n71 + 3u * n26];
n58 = n72[n71 + 4u * n26];
n59 = n72[n71 + 5u * n26];
n60 = n72[n71 + 6u * n26];
n61 = n72[n71 + 7u * n26];
let n73 = n32 + (n70 >> 2u);
n62 = n74[n73 + 0u * n35 + 0u * n34];
n63 = n74[n73 + 0u * n35 + 1u * n34];
n64 = n74[n73 + 0u * n35 + 2u * n34];
n65 = n74[n73 + 0u * n35 + 3u * n34];
n66 = n74[n73 + 1u * n35 + 0u * n34];
n67 = n74[n73 + 1u * n35 + 1u * n34];
n68 = n74[n73 + 1u * n35 + 2u * n34];
n69 = n74[n73 + 1u * n35 + 3u * n34];
{
let n80 = n81(n17 + 0u, 0u);
let n82 = n81(n17 + 16u, 0u);
let n83 = n81(n17 + 32u, 0u);
let n84 = n81(n17 + 48u, 0u);
let n85 = n86(n18 + 0u, 0u);
n36 = coopMultiplyAdd(n80, n85, n36);
n41 = coopMultiplyAdd(n82, n85, n41);
n45 = coopMultiplyAdd(n83, n85, n45);
n49 = coopMultiplyAdd(n84, n85, n49);
let n87 = n86(n18 + 16u, 0u);
n38 = coopMultiplyAdd(n80, n87, n38);
n42 = coopMultiplyAdd(n82, n87, n42);
n46 = coopMultiplyAdd(n83, n87, n46);
n50 = coopMultiplyAdd(n84, n87, n50);
let n88 = n86(n18 + 32u, 0u);
n39 = coopMultiplyAdd(n80, n88, n39);
n43 = coopMultiplyAdd(n82, n88, n43);
n47 = coopMultiplyAdd(n83, n88, n47);
n51 = coopMultiplyAdd(n84, n88, n51);
let n89 = n86(n18 + 48u, 0u);
n40 = coopMultiplyAdd(n80, n89, n40);
n44 = coopMultiplyAdd(n82, n89, n44);
n48 = coopMultiplyAdd(n83, n89, n48);
n52 = coopMultiplyAdd(n84, n89, n52);
}
{
let n80 = n81(n17 + 0u, 16u);
let n82 = n81(n17 + 16u, 16u);
let n83 = n81(n17 + 32u, 16u);
let n84 = n81(n17 + 48u, 16u);
let n85 = n86(n18 + 0u, 16u);
n36 = coopMultiplyAdd(n80, n85, n36);
n41 = coopMultiplyAdd(n82, n85, n41);
n45 = coopMultiplyAdd(n83, n85, n45);
n49 = coopMultiplyAdd(n84, n85, n49);
let n87 = n86(n18 + 16u, 16u);
n38 = coopMultiplyAdd(n80, n87, n38);
n42 = coopMultiplyAdd(n82, n87, n42);
n46 = coopMultiplyAdd(n83, n87, n46);
n50 = coopMultiplyAdd(n84, n87, n50);
let n88 = n86(n18 + 32u, 16u);
n39 = coopMultiplyAdd(n80, n88, n39);
n43 = coopMultiplyAdd(n82, n88, n43);
n47 = coopMultiplyAdd(n83, n88, n47);
n51 = coopMultiplyAdd(n84, n88, n51);
let n89 = n86(n18 + 48u, 16u);
n40 = coopMultiplyAdd(n80, n89, n40);
n44 = coopMultiplyAdd(n82, n89, n44);
n48 = coopMultiplyAdd(n83, n89, n48);
n52 = coopMultiplyAdd(n84, n89, n52);
}
workgroupBarrier();
}
}
let n90 = n11 * n91 * n92;
let n93 = n90 + 0u;
coopStoreT(n36, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n90, n13);
workgroupBarrier();
coopStoreT(n38, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n90, n13);
workgroupBarrier();
coopStoreT(n39, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 0u, n6 + n18 + 32u, n90, n13);
workgroupBarrier();
coopStoreT(n40, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 0u, n6 + n18 + 48u, n90, n13);
workgroupBarrier();
coopStoreT(n41, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n90, n13);
workgroupBarrier();
coopStoreT(n42, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n90, n13);
workgroupBarrier();
coopStoreT(n43, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 16u, n6 + n18 + 32u, n90, n13);
workgroupBarrier();
coopStoreT(n44, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 16u, n6 + n18 + 48u, n90, n13);
workgroupBarrier();
coopStoreT(n45, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 32u, n6 + n18 + 0u, n90, n13);
workgroupBarrier();
coopStoreT(n46, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 32u, n6 + n18 + 16u, n90, n13);
workgroupBarrier();
coopStoreT(n47, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 32u, n6 + n18 + 32u, n90, n13);
workgroupBarrier();
coopStoreT(n48, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 32u, n6 + n18 + 48u, n90, n13);
workgroupBarrier();
coopStoreT(n49, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 48u, n6 + n18 + 0u, n90, n13);
workgroupBarrier();
coopStoreT(n50, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 48u, n6 + n18 + 16u, n90, n13);
workgroupBarrier();
coopStoreT(n51, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 48u, n6 + n18 + 32u, n90, n13);
workgroupBarrier();
coopStoreT(n52, &n94[n93], n92);
workgroupBarrier();
n95(n3.z, n5 + n17 + 48u, n6 + n18 + 48u, n90, n13);
workgroupBarrier();
}
// 63f3780688b3
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17(n3.x);
let n18 = (n3.x * n16);
let n19 = n17(n3.y);
let n20 = (n3.y * n19);
let n21 = n17(n3.z);
let n22 = (n3.z * n21);
let n23 = n17(n3.w);
let n24 = (n3.w * n23);
n25[n7] = vec4<f32>(n18, n20, n22, n24);
}
// 63fe58341d65
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
var n15: f32 = n14();
var n16: f32 = f32(0);
for (var n17 = n7; n17 < n11; n17 += 256u) {
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, n29);
n13 = n33(n13, n30);
n13 = n33(n13, n31);
n13 = n33(n13, n32);
n15 = n34(n15, n29);
n15 = n34(n15, n30);
n15 = n34(n15, n31);
n15 = n34(n15, n32);
n16 = (n16 + n29);
n16 = (n16 + n30);
n16 = (n16 + n31);
n16 = (n16 + n32);
}
n35[n3] = n13;
workgroupBarrier();
for (var n36 = 128u; n36 > 0u; n36 >>= 1u) {
if (n7 < n36) { n35[n3] = n33(n35[n3], n35[n3 + n36]); }
workgroupBarrier();
}
let n37 = n35[n3 - n7];
workgroupBarrier();
n35[n3] = n15;
workgroupBarrier();
for (var n36 = 128u; n36 > 0u; n36 >>= 1u) {
if (n7 < n36) { n35[n3] = n34(n35[n3], n35[n3 + n36]); }
workgroupBarrier();
}
let n38 = n35[n3 - n7];
workgroupBarrier();
n35[n3] = n16;
workgroupBarrier();
for (var n36 = 128u; n36 > 0u; n36 >>= 1u) {
if (n7 < n36) { n35[n3] = (n35[n3] + n35[n3 + n36]); }
workgroupBarrier();
}
let n39 = n35[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n40[n10] = n37;
n41[n10] = n38;
n42[n10] = n39;
}
}
// 6411f01942f4
var<workgroup> n0: array<f32, n1>;
// 647cabb8ba29
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[1].y);
var n14: f32 = (-n15());
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n14 = n34(n14, select((-n15()), n30, n17));
n14 = n34(n14, select((-n15()), n31, n17));
n14 = n34(n14, select((-n15()), n32, n17));
n14 = n34(n14, select((-n15()), n33, n17));
let n35 = n7 + 128u;
let n36 = n35 < n11;
let n37 = min(n35, n11 - 1u);
let n38 = n12 + n37;
let n39 = 4u * n38 + 0u;
let n40 = 4u * n37 + 0u;
let n41 = 4u * n38 + 1u;
let n42 = 4u * n37 + 1u;
let n43 = 4u * n38 + 2u;
let n44 = 4u * n37 + 2u;
let n45 = 4u * n38 + 3u;
let n46 = 4u * n37 + 3u;
let n47 = n29[n38];
let n48 = n47.x;
let n49 = n47.y;
let n50 = n47.z;
let n51 = n47.w;
n14 = n34(n14, select((-n15()), n48, n36));
n14 = n34(n14, select((-n15()), n49, n36));
n14 = n34(n14, select((-n15()), n50, n36));
n14 = n34(n14, select((-n15()), n51, n36));
let n52 = subgroupAny(n53(n14));
let n54 = subgroupMax(select(n14, (-n15()), n53(n14)));
let n55 = select(n54, n56(), n52);
if (n3 % 32u == 0u) { n57[n3 / 32u] = n55; }
workgroupBarrier();
let n58 = (n3 - n7) / 32u;
var n59 = n57[n58];
for (var n60 = 1u; n60 < 4u; n60++) { n59 = n34(n59, n57[n58 + n60]); }
let n61 = n59;
workgroupBarrier();
let n62 = n63(n61);
let n64 = select(n13, n61, n62);
var n65: f32 = f32(0);
let n66 = (n30 - n64);
let n67 = n68(n66);
n65 = (n65 + select(f32(0), n67, n17));
let n69 = (n31 - n64);
let n70 = n68(n69);
n65 = (n65 + select(f32(0), n70, n17));
let n71 = (n32 - n64);
let n72 = n68(n71);
n65 = (n65 + select(f32(0), n72, n17));
let n73 = (n33 - n64);
let n74 = n68(n73);
n65 = (n65 + select(f32(0), n74, n17));
let n75 = (n48 - n64);
let n76 = n68(n75);
n65 = (n65 + select(f32(0), n76, n36));
let n77 = (n49 - n64);
let n78 = n68(n77);
n65 = (n65 + select(f32(0), n78, n36));
let n79 = (n50 - n64);
let n80 = n68(n79);
n65 = (n65 + select(f32(0), n80, n36));
let n81 = (n51 - n64);
let n82 = n68(n81);
n65 = (n65 + select(f32(0), n82, n36));
let n83 = subgroupAdd(n65);
if (n3 % 32u == 0u) { n57[n3 / 32u] = n83; }
workgroupBarrier();
let n84 = (n3 - n7) / 32u;
var n85 = n57[n84];
for (var n60 = 1u; n60 < 4u; n60++) { n85 = (n85 + n57[n84 + n60]); }
let n86 = n85;
workgroupBarrier();
let n87 = n88(n86);
let n89 = (n87 + n64);
if (n7 == 0u && n9) {
n90[n10] = n89;
}
}
// 64c815ad59b2
@group(0) @binding(2) var<storage, read_write> n0: array<atomic<u32>>;
// 6507549355ba
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[3].x) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[3].x + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n9];
let n18 = (n3.x + n16);
let n19 = n17[n11];
let n20 = (n3.y + n19);
let n21 = n17[n13];
let n22 = (n3.z + n21);
let n23 = n17[n15];
let n24 = (n3.w + n23);
n25[n7] = vec4<f32>(n18, n20, n22, n24);
}
// 66ec16f8ed83
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = n14[n10];
let n15 = bitcast<f32>(n5[2].w);
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = n34[2u * n24];
let n35 = n34[2u * n24 + 1u];
let n36 = n37((n33 >> 0u) & 0xffffu);
let n38 = n37((n33 >> 16u) & 0xffffu);
let n39 = n37((n35 >> 0u) & 0xffffu);
let n40 = n37((n35 >> 16u) & 0xffffu);
let n41 = n36;
let n42 = n37((n43[n26 >> 1u] >> ((n26 & 1u) << 4u)) & 0xffffu);
let n44 = n42;
let n45 = (n41 * n44);
let n46 = n47[2u * n24];
let n48 = n47[2u * n24 + 1u];
let n49 = n37((n46 >> 0u) & 0xffffu);
let n50 = n37((n46 >> 16u) & 0xffffu);
let n51 = n37((n48 >> 0u) & 0xffffu);
let n52 = n37((n48 >> 16u) & 0xffffu);
let n53 = n54[2u * n24];
let n55 = n54[2u * n24 + 1u];
let n56 = n37((n53 >> 0u) & 0xffffu);
let n57 = n37((n53 >> 16u) & 0xffffu);
let n58 = n37((n55 >> 0u) & 0xffffu);
let n59 = n37((n55 >> 16u) & 0xffffu);
let n60 = (n49 + n56);
let n61 = n60;
let n62 = (n45 * n61);
n20 = (n20 + select(f32(0), n62, n22));
let n63 = n38;
let n64 = n37((n43[n28 >> 1u] >> ((n28 & 1u) << 4u)) & 0xffffu);
let n65 = n64;
let n66 = (n63 * n65);
let n67 = (n50 + n57);
let n68 = n67;
let n69 = (n66 * n68);
n20 = (n20 + select(f32(0), n69, n22));
let n70 = n39;
let n71 = n37((n43[n30 >> 1u] >> ((n30 & 1u) << 4u)) & 0xffffu);
let n72 = n71;
let n73 = (n70 * n72);
let n74 = (n51 + n58);
let n75 = n74;
let n76 = (n73 * n75);
n20 = (n20 + select(f32(0), n76, n22));
let n77 = n40;
let n78 = n37((n43[n32 >> 1u] >> ((n32 & 1u) << 4u)) & 0xffffu);
let n79 = n78;
let n80 = (n77 * n79);
let n81 = (n52 + n59);
let n82 = n81;
let n83 = (n80 * n82);
n20 = (n20 + select(f32(0), n83, n22));
let n84 = n7 + 32u;
let n85 = n84 < n11;
let n86 = min(n84, n11 - 1u);
let n87 = n12 + n86;
let n88 = 4u * n87 + 0u;
let n89 = 4u * n86 + 0u;
let n90 = 4u * n87 + 1u;
let n91 = 4u * n86 + 1u;
let n92 = 4u * n87 + 2u;
let n93 = 4u * n86 + 2u;
let n94 = 4u * n87 + 3u;
let n95 = 4u * n86 + 3u;
let n96 = n34[2u * n87];
let n97 = n34[2u * n87 + 1u];
let n98 = n37((n96 >> 0u) & 0xffffu);
let n99 = n37((n96 >> 16u) & 0xffffu);
let n100 = n37((n97 >> 0u) & 0xffffu);
let n101 = n37((n97 >> 16u) & 0xffffu);
let n102 = n98;
let n103 = n37((n43[n89 >> 1u] >> ((n89 & 1u) << 4u)) & 0xffffu);
let n104 = n103;
let n105 = (n102 * n104);
let n106 = n47[2u * n87];
let n107 = n47[2u * n87 + 1u];
let n108 = n37((n106 >> 0u) & 0xffffu);
let n109 = n37((n106 >> 16u) & 0xffffu);
let n110 = n37((n107 >> 0u) & 0xffffu);
let n111 = n37((n107 >> 16u) & 0xffffu);
let n112 = n54[2u * n87];
let n113 = n54[2u * n87 + 1u];
let n114 = n37((n112 >> 0u) & 0xffffu);
let n115 = n37((n112 >> 16u) & 0xffffu);
let n116 = n37((n113 >> 0u) & 0xffffu);
let n117 = n37((n113 >> 16u) & 0xffffu);
let n118 = (n108 + n114);
let n119 = n118;
let n120 = (n105 * n119);
n20 = (n20 + select(f32(0), n120, n85));
let n121 = n99;
let n122 = n37((n43[n91 >> 1u] >> ((n91 & 1u) << 4u)) & 0xffffu);
let n123 = n122;
let n124 = (n121 * n123);
let n125 = (n109 + n115);
let n126 = n125;
let n127 = (n124 * n126);
n20 = (n20 + select(f32(0), n127, n85));
let n128 = n100;
let n129 = n37((n43[n93 >> 1u] >> ((n93 & 1u) << 4u)) & 0xffffu);
let n130 = n129;
let n131 = (n128 * n130);
let n132 = (n110 + n116);
let n133 = n132;
let n134 = (n131 * n133);
n20 = (n20 + select(f32(0), n134, n85));
let n135 = n101;
let n136 = n37((n43[n95 >> 1u] >> ((n95 & 1u) << 4u)) & 0xffffu);
let n137 = n136;
let n138 = (n135 * n137);
let n139 = (n111 + n117);
let n140 = n139;
let n141 = (n138 * n140);
n20 = (n20 + select(f32(0), n141, n85));
let n142 = n7 + 64u;
let n143 = n142 < n11;
let n144 = min(n142, n11 - 1u);
let n145 = n12 + n144;
let n146 = 4u * n145 + 0u;
let n147 = 4u * n144 + 0u;
let n148 = 4u * n145 + 1u;
let n149 = 4u * n144 + 1u;
let n150 = 4u * n145 + 2u;
let n151 = 4u * n144 + 2u;
let n152 = 4u * n145 + 3u;
let n153 = 4u * n144 + 3u;
let n154 = n34[2u * n145];
let n155 = n34[2u * n145 + 1u];
let n156 = n37((n154 >> 0u) & 0xffffu);
let n157 = n37((n154 >> 16u) & 0xffffu);
let n158 = n37((n155 >> 0u) & 0xffffu);
let n159 = n37((n155 >> 16u) & 0xffffu);
let n160 = n156;
let n161 = n37((n43[n147 >> 1u] >> ((n147 & 1u) << 4u)) & 0xffffu);
let n162 = n161;
let n163 = (n160 * n162);
let n164 = n47[2u * n145];
let n165 = n47[2u * n145 + 1u];
let n166 = n37((n164 >> 0u) & 0xffffu);
let n167 = n37((n164 >> 16u) & 0xffffu);
let n168 = n37((n165 >> 0u) & 0xffffu);
let n169 = n37((n165 >> 16u) & 0xffffu);
let n170 = n54[2u * n145];
let n171 = n54[2u * n145 + 1u];
let n172 = n37((n170 >> 0u) & 0xffffu);
let n173 = n37((n170 >> 16u) & 0xffffu);
let n174 = n37((n171 >> 0u) & 0xffffu);
let n175 = n37((n171 >> 16u) & 0xffffu);
let n176 = (n166 + n172);
let n177 = n176;
let n178 = (n163 * n177);
n20 = (n20 + select(f32(0), n178, n143));
let n179 = n157;
let n180 = n37((n43[n149 >> 1u] >> ((n149 & 1u) << 4u)) & 0xffffu);
let n181 = n180;
let n182 = (n179 * n181);
let n183 = (n167 + n173);
let n184 = n183;
let n185 = (n182 * n184);
n20 = (n20 + select(f32(0), n185, n143));
let n186 = n158;
let n187 = n37((n43[n151 >> 1u] >> ((n151 & 1u) << 4u)) & 0xffffu);
let n188 = n187;
let n189 = (n186 * n188);
let n190 = (n168 + n174);
let n191 = n190;
let n192 = (n189 * n191);
n20 = (n20 + select(f32(0), n192, n143));
let n193 = n159;
let n194 = n37((n43[n153 >> 1u] >> ((n153 & 1u) << 4u)) & 0xffffu);
let n195 = n194;
let n196 = (n193 * n195);
let n197 = (n169 + n175);
let n198 = n197;
let n199 = (n196 * n198);
n20 = (n20 + select(f32(0), n199, n143));
let n200 = n7 + 96u;
let n201 = n200 < n11;
let n202 = min(n200, n11 - 1u);
let n203 = n12 + n202;
let n204 = 4u * n203 + 0u;
let n205 = 4u * n202 + 0u;
let n206 = 4u * n203 + 1u;
let n207 = 4u * n202 + 1u;
let n208 = 4u * n203 + 2u;
let n209 = 4u * n202 + 2u;
let n210 = 4u * n203 + 3u;
let n211 = 4u * n202 + 3u;
let n212 = n34[2u * n203];
let n213 = n34[2u * n203 + 1u];
let n214 = n37((n212 >> 0u) & 0xffffu);
let n215 = n37((n212 >> 16u) & 0xffffu);
let n216 = n37((n213 >> 0u) & 0xffffu);
let n217 = n37((n213 >> 16u) & 0xffffu);
let n218 = n214;
let n219 = n37((n43[n205 >> 1u] >> ((n205 & 1u) << 4u)) & 0xffffu);
let n220 = n219;
let n221 = (n218 * n220);
let n222 = n47[2u * n203];
let n223 = n47[2u * n203 + 1u];
let n224 = n37((n222 >> 0u) & 0xffffu);
let n225 = n37((n222 >> 16u) & 0xffffu);
let n226 = n37((n223 >> 0u) & 0xffffu);
let n227 = n37((n223 >> 16u) & 0xffffu);
let n228 = n54[2u * n203];
let n229 = n54[2u * n203 + 1u];
let n230 = n37((n228 >> 0u) & 0xffffu);
let n231 = n37((n228 >> 16u) & 0xffffu);
let n232 = n37((n229 >> 0u) & 0xffffu);
let n233 = n37((n229 >> 16u) & 0xffffu);
let n234 = (n224 + n230);
let n235 = n234;
let n236 = (n221 * n235);
n20 = (n20 + select(f32(0), n236, n201));
let n237 = n215;
let n238 = n37((n43[n207 >> 1u] >> ((n207 & 1u) << 4u)) & 0xffffu);
let n239 = n238;
let n240 = (n237 * n239);
let n241 = (n225 + n231);
let n242 = n241;
let n243 = (n240 * n242);
n20 = (n20 + select(f32(0), n243, n201));
let n244 = n216;
let n245 = n37((n43[n209 >> 1u] >> ((n209 & 1u) << 4u)) & 0xffffu);
let n246 = n245;
let n247 = (n244 * n246);
let n248 = (n226 + n232);
let n249 = n248;
let n250 = (n247 * n249);
n20 = (n20 + select(f32(0), n250, n201));
let n251 = n217;
let n252 = n37((n43[n211 >> 1u] >> ((n211 & 1u) << 4u)) & 0xffffu);
let n253 = n252;
let n254 = (n251 * n253);
let n255 = (n227 + n233);
let n256 = n255;
let n257 = (n254 * n256);
n20 = (n20 + select(f32(0), n257, n201));
let n258 = n7 + 128u;
let n259 = n258 < n11;
let n260 = min(n258, n11 - 1u);
let n261 = n12 + n260;
let n262 = 4u * n261 + 0u;
let n263 = 4u * n260 + 0u;
let n264 = 4u * n261 + 1u;
let n265 = 4u * n260 + 1u;
let n266 = 4u * n261 + 2u;
let n267 = 4u * n260 + 2u;
let n268 = 4u * n261 + 3u;
let n269 = 4u * n260 + 3u;
let n270 = n34[2u * n261];
let n271 = n34[2u * n261 + 1u];
let n272 = n37((n270 >> 0u) & 0xffffu);
let n273 = n37((n270 >> 16u) & 0xffffu);
let n274 = n37((n271 >> 0u) & 0xffffu);
let n275 = n37((n271 >> 16u) & 0xffffu);
let n276 = n272;
let n277 = n37((n43[n263 >> 1u] >> ((n263 & 1u) << 4u)) & 0xffffu);
let n278 = n277;
let n279 = (n276 * n278);
let n280 = n47[2u * n261];
let n281 = n47[2u * n261 + 1u];
let n282 = n37((n280 >> 0u) & 0xffffu);
let n283 = n37((n280 >> 16u) & 0xffffu);
let n284 = n37((n281 >> 0u) & 0xffffu);
let n285 = n37((n281 >> 16u) & 0xffffu);
let n286 = n54[2u * n261];
let n287 = n54[2u * n261 + 1u];
let n288 = n37((n286 >> 0u) & 0xffffu);
let n289 = n37((n286 >> 16u) & 0xffffu);
let n290 = n37((n287 >> 0u) & 0xffffu);
let n291 = n37((n287 >> 16u) & 0xffffu);
let n292 = (n282 + n288);
let n293 = n292;
let n294 = (n279 * n293);
n20 = (n20 + select(f32(0), n294, n259));
let n295 = n273;
let n296 = n37((n43[n265 >> 1u] >> ((n265 & 1u) << 4u)) & 0xffffu);
let n297 = n296;
let n298 = (n295 * n297);
let n299 = (n283 + n289);
let n300 = n299;
let n301 = (n298 * n300);
n20 = (n20 + select(f32(0), n301, n259));
let n302 = n274;
let n303 = n37((n43[n267 >> 1u] >> ((n267 & 1u) << 4u)) & 0xffffu);
let n304 = n303;
let n305 = (n302 * n304);
let n306 = (n284 + n290);
let n307 = n306;
let n308 = (n305 * n307);
n20 = (n20 + select(f32(0), n308, n259));
let n309 = n275;
let n310 = n37((n43[n269 >> 1u] >> ((n269 & 1u) << 4u)) & 0xffffu);
let n311 = n310;
let n312 = (n309 * n311);
let n313 = (n285 + n291);
let n314 = n313;
let n315 = (n312 * n314);
n20 = (n20 + select(f32(0), n315, n259));
let n316 = n7 + 160u;
let n317 = n316 < n11;
let n318 = min(n316, n11 - 1u);
let n319 = n12 + n318;
let n320 = 4u * n319 + 0u;
let n321 = 4u * n318 + 0u;
let n322 = 4u * n319 + 1u;
let n323 = 4u * n318 + 1u;
let n324 = 4u * n319 + 2u;
let n325 = 4u * n318 + 2u;
let n326 = 4u * n319 + 3u;
let n327 = 4u * n318 + 3u;
let n328 = n34[2u * n319];
let n329 = n34[2u * n319 + 1u];
let n330 = n37((n328 >> 0u) & 0xffffu);
let n331 = n37((n328 >> 16u) & 0xffffu);
let n332 = n37((n329 >> 0u) & 0xffffu);
let n333 = n37((n329 >> 16u) & 0xffffu);
let n334 = n330;
let n335 = n37((n43[n321 >> 1u] >> ((n321 & 1u) << 4u)) & 0xffffu);
let n336 = n335;
let n337 = (n334 * n336);
let n338 = n47[2u * n319];
let n339 = n47[2u * n319 + 1u];
let n340 = n37((n338 >> 0u) & 0xffffu);
let n341 = n37((n338 >> 16u) & 0xffffu);
let n342 = n37((n339 >> 0u) & 0xffffu);
let n343 = n37((n339 >> 16u) & 0xffffu);
let n344 = n54[2u * n319];
let n345 = n54[2u * n319 + 1u];
let n346 = n37((n344 >> 0u) & 0xffffu);
let n347 = n37((n344 >> 16u) & 0xffffu);
let n348 = n37((n345 >> 0u) & 0xffffu);
let n349 = n37((n345 >> 16u) & 0xffffu);
let n350 = (n340 + n346);
let n351 = n350;
let n352 = (n337 * n351);
n20 = (n20 + select(f32(0), n352, n317));
let n353 = n331;
let n354 = n37((n43[n323 >> 1u] >> ((n323 & 1u) << 4u)) & 0xffffu);
let n355 = n354;
let n356 = (n353 * n355);
let n357 = (n341 + n347);
let n358 = n357;
let n359 = (n356 * n358);
n20 = (n20 + select(f32(0), n359, n317));
let n360 = n332;
let n361 = n37((n43[n325 >> 1u] >> ((n325 & 1u) << 4u)) & 0xffffu);
let n362 = n361;
let n363 = (n360 * n362);
let n364 = (n342 + n348);
let n365 = n364;
let n366 = (n363 * n365);
n20 = (n20 + select(f32(0), n366, n317));
let n367 = n333;
let n368 = n37((n43[n327 >> 1u] >> ((n327 & 1u) << 4u)) & 0xffffu);
let n369 = n368;
let n370 = (n367 * n369);
let n371 = (n343 + n349);
let n372 = n371;
let n373 = (n370 * n372);
n20 = (n20 + select(f32(0), n373, n317));
let n374 = n7 + 192u;
let n375 = n374 < n11;
let n376 = min(n374, n11 - 1u);
let n377 = n12 + n376;
let n378 = 4u * n377 + 0u;
let n379 = 4u * n376 + 0u;
let n380 = 4u * n377 + 1u;
let n381 = 4u * n376 + 1u;
let n382 = 4u * n377 + 2u;
let n383 = 4u * n376 + 2u;
let n384 = 4u * n377 + 3u;
let n385 = 4u * n376 + 3u;
let n386 = n34[2u * n377];
let n387 = n34[2u * n377 + 1u];
let n388 = n37((n386 >> 0u) & 0xffffu);
let n389 = n37((n386 >> 16u) & 0xffffu);
let n390 = n37((n387 >> 0u) & 0xffffu);
let n391 = n37((n387 >> 16u) & 0xffffu);
let n392 = n388;
let n393 = n37((n43[n379 >> 1u] >> ((n379 & 1u) << 4u)) & 0xffffu);
let n394 = n393;
let n395 = (n392 * n394);
let n396 = n47[2u * n377];
let n397 = n47[2u * n377 + 1u];
let n398 = n37((n396 >> 0u) & 0xffffu);
let n399 = n37((n396 >> 16u) & 0xffffu);
let n400 = n37((n397 >> 0u) & 0xffffu);
let n401 = n37((n397 >> 16u) & 0xffffu);
let n402 = n54[2u * n377];
let n403 = n54[2u * n377 + 1u];
let n404 = n37((n402 >> 0u) & 0xffffu);
let n405 = n37((n402 >> 16u) & 0xffffu);
let n406 = n37((n403 >> 0u) & 0xffffu);
let n407 = n37((n403 >> 16u) & 0xffffu);
let n408 = (n398 + n404);
let n409 = n408;
let n410 = (n395 * n409);
n20 = (n20 + select(f32(0), n410, n375));
let n411 = n389;
let n412 = n37((n43[n381 >> 1u] >> ((n381 & 1u) << 4u)) & 0xffffu);
let n413 = n412;
let n414 = (n411 * n413);
let n415 = (n399 + n405);
let n416 = n415;
let n417 = (n414 * n416);
n20 = (n20 + select(f32(0), n417, n375));
let n418 = n390;
let n419 = n37((n43[n383 >> 1u] >> ((n383 & 1u) << 4u)) & 0xffffu);
let n420 = n419;
let n421 = (n418 * n420);
let n422 = (n400 + n406);
let n423 = n422;
let n424 = (n421 * n423);
n20 = (n20 + select(f32(0), n424, n375));
let n425 = n391;
let n426 = n37((n43[n385 >> 1u] >> ((n385 & 1u) << 4u)) & 0xffffu);
let n427 = n426;
let n428 = (n425 * n427);
let n429 = (n401 + n407);
let n430 = n429;
let n431 = (n428 * n430);
n20 = (n20 + select(f32(0), n431, n375));
let n432 = n7 + 224u;
let n433 = n432 < n11;
let n434 = min(n432, n11 - 1u);
let n435 = n12 + n434;
let n436 = 4u * n435 + 0u;
let n437 = 4u * n434 + 0u;
let n438 = 4u * n435 + 1u;
let n439 = 4u * n434 + 1u;
let n440 = 4u * n435 + 2u;
let n441 = 4u * n434 + 2u;
let n442 = 4u * n435 + 3u;
let n443 = 4u * n434 + 3u;
let n444 = n34[2u * n435];
let n445 = n34[2u * n435 + 1u];
let n446 = n37((n444 >> 0u) & 0xffffu);
let n447 = n37((n444 >> 16u) & 0xffffu);
let n448 = n37((n445 >> 0u) & 0xffffu);
let n449 = n37((n445 >> 16u) & 0xffffu);
let n450 = n446;
let n451 = n37((n43[n437 >> 1u] >> ((n437 & 1u) << 4u)) & 0xffffu);
let n452 = n451;
let n453 = (n450 * n452);
let n454 = n47[2u * n435];
let n455 = n47[2u * n435 + 1u];
let n456 = n37((n454 >> 0u) & 0xffffu);
let n457 = n37((n454 >> 16u) & 0xffffu);
let n458 = n37((n455 >> 0u) & 0xffffu);
let n459 = n37((n455 >> 16u) & 0xffffu);
let n460 = n54[2u * n435];
let n461 = n54[2u * n435 + 1u];
let n462 = n37((n460 >> 0u) & 0xffffu);
let n463 = n37((n460 >> 16u) & 0xffffu);
let n464 = n37((n461 >> 0u) & 0xffffu);
let n465 = n37((n461 >> 16u) & 0xffffu);
let n466 = (n456 + n462);
let n467 = n466;
let n468 = (n453 * n467);
n20 = (n20 + select(f32(0), n468, n433));
let n469 = n447;
let n470 = n37((n43[n439 >> 1u] >> ((n439 & 1u) << 4u)) & 0xffffu);
let n471 = n470;
let n472 = (n469 * n471);
let n473 = (n457 + n463);
let n474 = n473;
let n475 = (n472 * n474);
n20 = (n20 + select(f32(0), n475, n433));
let n476 = n448;
let n477 = n37((n43[n441 >> 1u] >> ((n441 & 1u) << 4u)) & 0xffffu);
let n478 = n477;
let n479 = (n476 * n478);
let n480 = (n458 + n464);
let n481 = n480;
let n482 = (n479 * n481);
n20 = (n20 + select(f32(0), n482, n433));
let n483 = n449;
let n484 = n37((n43[n443 >> 1u] >> ((n443 & 1u) << 4u)) & 0xffffu);
let n485 = n484;
let n486 = (n483 * n485);
let n487 = (n459 + n465);
let n488 = n487;
let n489 = (n486 * n488);
n20 = (n20 + select(f32(0), n489, n433));
n490[n3] = n20;
workgroupBarrier();
for (var n491 = 16u; n491 > 0u; n491 >>= 1u) {
if (n7 < n491) { n490[n3] = (n490[n3] + n490[n3 + n491]); }
workgroupBarrier();
}
let n492 = n490[n3 - n7];
workgroupBarrier();
let n493 = (n492 * n15);
let n494 = (n493 * n13);
let n495 = (n494 * n16);
let n496 = n497(n495, n18);
let n498 = (n496 * n19);
let n499 = n500[2u * n24];
let n501 = n500[2u * n24 + 1u];
let n502 = n37((n499 >> 0u) & 0xffffu);
let n503 = n37((n499 >> 16u) & 0xffffu);
let n504 = n37((n501 >> 0u) & 0xffffu);
let n505 = n37((n501 >> 16u) & 0xffffu);
let n506 = (n45 * n13);
let n507 = (n498 * n61);
let n508 = (n506 + n507);
let n509 = n37(n510(n508));
let n511 = (n502 + n509);
let n512 = (n66 * n13);
let n513 = (n498 * n68);
let n514 = (n512 + n513);
let n515 = n37(n510(n514));
let n516 = (n503 + n515);
let n517 = (n73 * n13);
let n518 = (n498 * n75);
let n519 = (n517 + n518);
let n520 = n37(n510(n519));
let n521 = (n504 + n520);
let n522 = (n80 * n13);
let n523 = (n498 * n82);
let n524 = (n522 + n523);
let n525 = n37(n510(n524));
let n526 = (n505 + n525);
if (n9 && n22) {
n527[2u * n24] = n510(n511) | (n510(n516) << 16u);
n527[2u * n24 + 1u] = n510(n521) | (n510(n526) << 16u);
}
let n528 = n500[2u * n87];
let n529 = n500[2u * n87 + 1u];
let n530 = n37((n528 >> 0u) & 0xffffu);
let n531 = n37((n528 >> 16u) & 0xffffu);
let n532 = n37((n529 >> 0u) & 0xffffu);
let n533 = n37((n529 >> 16u) & 0xffffu);
let n534 = (n105 * n13);
let n535 = (n498 * n119);
let n536 = (n534 + n535);
let n537 = n37(n510(n536));
let n538 = (n530 + n537);
let n539 = (n124 * n13);
let n540 = (n498 * n126);
let n541 = (n539 + n540);
let n542 = n37(n510(n541));
let n543 = (n531 + n542);
let n544 = (n131 * n13);
let n545 = (n498 * n133);
let n546 = (n544 + n545);
let n547 = n37(n510(n546));
let n548 = (n532 + n547);
let n549 = (n138 * n13);
let n550 = (n498 * n140);
let n551 = (n549 + n550);
let n552 = n37(n510(n551));
let n553 = (n533 + n552);
if (n9 && n85) {
n527[2u * n87] = n510(n538) | (n510(n543) << 16u);
n527[2u * n87 + 1u] = n510(n548) | (n510(n553) << 16u);
}
let n554 = n500[2u * n145];
let n555 = n500[2u * n145 + 1u];
let n556 = n37((n554 >> 0u) & 0xffffu);
let n557 = n37((n554 >> 16u) & 0xffffu);
let n558 = n37((n555 >> 0u) & 0xffffu);
let n559 = n37((n555 >> 16u) & 0xffffu);
let n560 = (n163 * n13);
let n561 = (n498 * n177);
let n562 = (n560 + n561);
let n563 = n37(n510(n562));
let n564 = (n556 + n563);
let n565 = (n182 * n13);
let n566 = (n498 * n184);
let n567 = (n565 + n566);
let n568 = n37(n510(n567));
let n569 = (n557 + n568);
let n570 = (n189 * n13);
let n571 = (n498 * n191);
let n572 = (n570 + n571);
let n573 = n37(n510(n572));
let n574 = (n558 + n573);
let n575 = (n196 * n13);
let n576 = (n498 * n198);
let n577 = (n575 + n576);
let n578 = n37(n510(n577));
let n579 = (n559 + n578);
if (n9 && n143) {
n527[2u * n145] = n510(n564) | (n510(n569) << 16u);
n527[2u * n145 + 1u] = n510(n574) | (n510(n579) << 16u);
}
let n580 = n500[2u * n203];
let n581 = n500[2u * n203 + 1u];
let n582 = n37((n580 >> 0u) & 0xffffu);
let n583 = n37((n580 >> 16u) & 0xffffu);
let n584 = n37((n581 >> 0u) & 0xffffu);
let n585 = n37((n581 >> 16u) & 0xffffu);
let n586 = (n221 * n13);
let n587 = (n498 * n235);
let n588 = (n586 + n587);
let n589 = n37(n510(n588));
let n590 = (n582 + n589);
let n591 = (n240 * n13);
let n592 = (n498 * n242);
let n593 = (n591 + n592);
let n594 = n37(n510(n593));
let n595 = (n583 + n594);
let n596 = (n247 * n13);
let n597 = (n498 * n249);
let n598 = (n596 + n597);
let n599 = n37(n510(n598));
let n600 = (n584 + n599);
let n601 = (n254 * n13);
let n602 = (n498 * n256);
let n603 = (n601 + n602);
let n604 = n37(n510(n603));
let n605 = (n585 + n604);
if (n9 && n201) {
n527[2u * n203] = n510(n590) | (n510(n595) << 16u);
n527[2u * n203 + 1u] = n510(n600) | (n510(n605) << 16u);
}
let n606 = n500[2u * n261];
let n607 = n500[2u * n261 + 1u];
let n608 = n37((n606 >> 0u) & 0xffffu);
let n609 = n37((n606 >> 16u) & 0xffffu);
let n610 = n37((n607 >> 0u) & 0xffffu);
let n611 = n37((n607 >> 16u) & 0xffffu);
let n612 = (n279 * n13);
let n613 = (n498 * n293);
let n614 = (n612 + n613);
let n615 = n37(n510(n614));
let n616 = (n608 + n615);
let n617 = (n298 * n13);
let n618 = (n498 * n300);
let n619 = (n617 + n618);
let n620 = n37(n510(n619));
let n621 = (n609 + n620);
let n622 = (n305 * n13);
let n623 = (n498 * n307);
let n624 = (n622 + n623);
let n625 = n37(n510(n624));
let n626 = (n610 + n625);
let n627 = (n312 * n13);
let n628 = (n498 * n314);
let n629 = (n627 + n628);
let n630 = n37(n510(n629));
let n631 = (n611 + n630);
if (n9 && n259) {
n527[2u * n261] = n510(n616) | (n510(n621) << 16u);
n527[2u * n261 + 1u] = n510(n626) | (n510(n631) << 16u);
}
let n632 = n500[2u * n319];
let n633 = n500[2u * n319 + 1u];
let n634 = n37((n632 >> 0u) & 0xffffu);
let n635 = n37((n632 >> 16u) & 0xffffu);
let n636 = n37((n633 >> 0u) & 0xffffu);
let n637 = n37((n633 >> 16u) & 0xffffu);
let n638 = (n337 * n13);
let n639 = (n498 * n351);
let n640 = (n638 + n639);
let n641 = n37(n510(n640));
let n642 = (n634 + n641);
let n643 = (n356 * n13);
let n644 = (n498 * n358);
let n645 = (n643 + n644);
let n646 = n37(n510(n645));
let n647 = (n635 + n646);
let n648 = (n363 * n13);
let n649 = (n498 * n365);
let n650 = (n648 + n649);
let n651 = n37(n510(n650));
let n652 = (n636 + n651);
let n653 = (n370 * n13);
let n654 = (n498 * n372);
let n655 = (n653 + n654);
let n656 = n37(n510(n655));
let n657 = (n637 + n656);
if (n9 && n317) {
n527[2u * n319] = n510(n642) | (n510(n647) << 16u);
n527[2u * n319 + 1u] = n510(n652) | (n510(n657) << 16u);
}
let n658 = n500[2u * n377];
let n659 = n500[2u * n377 + 1u];
let n660 = n37((n658 >> 0u) & 0xffffu);
let n661 = n37((n658 >> 16u) & 0xffffu);
let n662 = n37((n659 >> 0u) & 0xffffu);
let n663 = n37((n659 >> 16u) & 0xffffu);
let n664 = (n395 * n13);
let n665 = (n498 * n409);
let n666 = (n664 + n665);
let n667 = n37(n510(n666));
let n668 = (n660 + n667);
let n669 = (n414 * n13);
let n670 = (n498 * n416);
let n671 = (n669 + n670);
let n672 = n37(n510(n671));
let n673 = (n661 + n672);
let n674 = (n421 * n13);
let n675 = (n498 * n423);
let n676 = (n674 + n675);
let n677 = n37(n510(n676));
let n678 = (n662 + n677);
let n679 = (n428 * n13);
let n680 = (n498 * n430);
let n681 = (n679 + n680);
let n682 = n37(n510(n681));
let n683 = (n663 + n682);
if (n9 && n375) {
n527[2u * n377] = n510(n668) | (n510(n673) << 16u);
n527[2u * n377 + 1u] = n510(n678) | (n510(n683) << 16u);
}
let n684 = n500[2u * n435];
let n685 = n500[2u * n435 + 1u];
let n686 = n37((n684 >> 0u) & 0xffffu);
let n687 = n37((n684 >> 16u) & 0xffffu);
let n688 = n37((n685 >> 0u) & 0xffffu);
let n689 = n37((n685 >> 16u) & 0xffffu);
let n690 = (n453 * n13);
let n691 = (n498 * n467);
let n692 = (n690 + n691);
let n693 = n37(n510(n692));
let n694 = (n686 + n693);
let n695 = (n472 * n13);
let n696 = (n498 * n474);
let n697 = (n695 + n696);
let n698 = n37(n510(n697));
let n699 = (n687 + n698);
let n700 = (n479 * n13);
let n701 = (n498 * n481);
let n702 = (n700 + n701);
let n703 = n37(n510(n702));
let n704 = (n688 + n703);
let n705 = (n486 * n13);
let n706 = (n498 * n488);
let n707 = (n705 + n706);
let n708 = n37(n510(n707));
let n709 = (n689 + n708);
if (n9 && n433) {
n527[2u * n435] = n510(n694) | (n510(n699) << 16u);
n527[2u * n435 + 1u] = n510(n704) | (n510(n709) << 16u);
}
}
// 66ff4c61ff71
@group(0) @binding(1) var<storage, read> n0: array<vec2<u32>>;
// 6709c83b2559
@group(0) @binding(8) var<uniform> n0: n1;
// 678bb4f1a83c
var<workgroup> n0: vec4<u32>;
// 6918dcab0776
@group(0) @binding(2) var<storage, read_write> n0: array<vec4<f32>>;
// 6a33716272b6
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = subgroupAdd(n15);
let n39 = n38;
let n40 = (n39 * n13);
let n41 = (n40 + n14);
let n42 = sqrt(n41);
let n43 = n44(n30, n42);
let n45 = n46[n21];
let n47 = (n43 * n45);
let n48 = n44(n31, n42);
let n49 = n46[n23];
let n50 = (n48 * n49);
let n51 = n44(n32, n42);
let n52 = n46[n25];
let n53 = (n51 * n52);
let n54 = n44(n33, n42);
let n55 = n46[n27];
let n56 = (n54 * n55);
if (n9 && n17) {
n57[n19] = vec4<f32>(n47, n50, n53, n56);
}
}
// 6a7ba3995964
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = bitcast<f32>(n3[4].w);
let n16 = (n13 * n15);
let n17 = n4 / n3[3].y;
let n18 = n4 - n17 * n3[3].y - n3[3].z;
let n19 = n17 - n3[2].w;
let n20 = n18 < n3[3].w && n19 < n3[3].x;
let n21 = select(0u, n18 + n19 * n3[3].w, n20);
let n22 = n23[n21];
let n24 = n25(n22);
let n26 = bitcast<f32>(n3[5].x);
let n27 = select(n26, n24, n20);
let n28 = select(n27, n16, n11);
let n29 = n5 / n3[1].x;
let n30 = n5 - n29 * n3[1].x - n3[1].y;
let n31 = n29 - n3[0].z;
let n32 = n30 < n3[1].z && n31 < n3[0].w;
let n33 = select(0u, n30 + n31 * n3[1].z, n32);
let n34 = n14[n33];
let n35 = (n34 * n15);
let n36 = n5 / n3[3].y;
let n37 = n5 - n36 * n3[3].y - n3[3].z;
let n38 = n36 - n3[2].w;
let n39 = n37 < n3[3].w && n38 < n3[3].x;
let n40 = select(0u, n37 + n38 * n3[3].w, n39);
let n41 = n23[n40];
let n42 = n25(n41);
let n43 = select(n26, n42, n39);
let n44 = select(n43, n35, n32);
let n45 = n6 / n3[1].x;
let n46 = n6 - n45 * n3[1].x - n3[1].y;
let n47 = n45 - n3[0].z;
let n48 = n46 < n3[1].z && n47 < n3[0].w;
let n49 = select(0u, n46 + n47 * n3[1].z, n48);
let n50 = n14[n49];
let n51 = (n50 * n15);
let n52 = n6 / n3[3].y;
let n53 = n6 - n52 * n3[3].y - n3[3].z;
let n54 = n52 - n3[2].w;
let n55 = n53 < n3[3].w && n54 < n3[3].x;
let n56 = select(0u, n53 + n54 * n3[3].w, n55);
let n57 = n23[n56];
let n58 = n25(n57);
let n59 = select(n26, n58, n55);
let n60 = select(n59, n51, n48);
let n61 = n7 / n3[1].x;
let n62 = n7 - n61 * n3[1].x - n3[1].y;
let n63 = n61 - n3[0].z;
let n64 = n62 < n3[1].z && n63 < n3[0].w;
let n65 = select(0u, n62 + n63 * n3[1].z, n64);
let n66 = n14[n65];
let n67 = (n66 * n15);
let n68 = n7 / n3[3].y;
let n69 = n7 - n68 * n3[3].y - n3[3].z;
let n70 = n68 - n3[2].w;
let n71 = n69 < n3[3].w && n70 < n3[3].x;
let n72 = select(0u, n69 + n70 * n3[3].w, n71);
let n73 = n23[n72];
let n74 = n25(n73);
let n75 = select(n26, n74, n71);
let n76 = select(n75, n67, n64);
n77[n1] = vec4<f32>(n28, n44, n60, n76);
}
// 6a9fdf0da7e0
struct n0 {
n1: u32,
n2: u32,
n3: u32,
n4: u32,
group: u32,
n5: u32,
n6: u32,
n7: u32,
n8: i32,
n9: i32,
n10: i32,
n11: f32,
n12: f32,
n13: u32,
n14: u32,
n15: u32,
n16: u32,
n17: u32,
n18: u32,
n19: u32,
n20: u32,
n21: u32,
n22: u32,
n23: u32,
n24: u32,
n25: u32,
n26: u32,
n27: u32,
n28: vec4<u32>,
n29: u32,
n30: vec4<u32>,
n31: u32,
n32: vec4<u32>,
n33: u32,
n34: vec4<u32>,
n35: u32,
}
// 6ac8a1b7170b
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<i32>(n3[1].w);
let n15 = (n10 < n14);
let n16 = bitcast<i32>(n3[2].x);
let n17 = (n10 - n16);
let n18 = select(n10, n17, n15);
let n19 = n20(n18, n16);
let n21 = (n11 < n14);
let n22 = (n11 - n16);
let n23 = select(n11, n22, n21);
let n24 = n20(select(0, n23, 4u * n1 + 1u <= n2), n16);
let n25 = (n12 < n14);
let n26 = (n12 - n16);
let n27 = select(n12, n26, n25);
let n28 = n20(select(0, n27, 4u * n1 + 2u <= n2), n16);
let n29 = (n13 < n14);
let n30 = (n13 - n16);
let n31 = select(n13, n30, n29);
let n32 = n20(select(0, n31, 4u * n1 + 3u <= n2), n16);
n33[n1] = vec4<i32>(n19, n24, n28, n32);
}
// 6ae7922748c4
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = n14[n10];
let n15 = bitcast<f32>(n5[2].w);
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = vec4<f32>(n34[n24]);
let n35 = n33.x;
let n36 = n33.y;
let n37 = n33.z;
let n38 = n33.w;
let n39 = n35;
let n40 = f32(n41[n26]);
let n42 = n40;
let n43 = (n39 * n42);
let n44 = vec4<f32>(n45[n24]);
let n46 = n44.x;
let n47 = n44.y;
let n48 = n44.z;
let n49 = n44.w;
let n50 = vec4<f32>(n51[n24]);
let n52 = n50.x;
let n53 = n50.y;
let n54 = n50.z;
let n55 = n50.w;
let n56 = (n46 + n52);
let n57 = n56;
let n58 = (n43 * n57);
n20 = (n20 + select(f32(0), n58, n22));
let n59 = n36;
let n60 = f32(n41[n28]);
let n61 = n60;
let n62 = (n59 * n61);
let n63 = (n47 + n53);
let n64 = n63;
let n65 = (n62 * n64);
n20 = (n20 + select(f32(0), n65, n22));
let n66 = n37;
let n67 = f32(n41[n30]);
let n68 = n67;
let n69 = (n66 * n68);
let n70 = (n48 + n54);
let n71 = n70;
let n72 = (n69 * n71);
n20 = (n20 + select(f32(0), n72, n22));
let n73 = n38;
let n74 = f32(n41[n32]);
let n75 = n74;
let n76 = (n73 * n75);
let n77 = (n49 + n55);
let n78 = n77;
let n79 = (n76 * n78);
n20 = (n20 + select(f32(0), n79, n22));
let n80 = n7 + 32u;
let n81 = n80 < n11;
let n82 = min(n80, n11 - 1u);
let n83 = n12 + n82;
let n84 = 4u * n83 + 0u;
let n85 = 4u * n82 + 0u;
let n86 = 4u * n83 + 1u;
let n87 = 4u * n82 + 1u;
let n88 = 4u * n83 + 2u;
let n89 = 4u * n82 + 2u;
let n90 = 4u * n83 + 3u;
let n91 = 4u * n82 + 3u;
let n92 = vec4<f32>(n34[n83]);
let n93 = n92.x;
let n94 = n92.y;
let n95 = n92.z;
let n96 = n92.w;
let n97 = n93;
let n98 = f32(n41[n85]);
let n99 = n98;
let n100 = (n97 * n99);
let n101 = vec4<f32>(n45[n83]);
let n102 = n101.x;
let n103 = n101.y;
let n104 = n101.z;
let n105 = n101.w;
let n106 = vec4<f32>(n51[n83]);
let n107 = n106.x;
let n108 = n106.y;
let n109 = n106.z;
let n110 = n106.w;
let n111 = (n102 + n107);
let n112 = n111;
let n113 = (n100 * n112);
n20 = (n20 + select(f32(0), n113, n81));
let n114 = n94;
let n115 = f32(n41[n87]);
let n116 = n115;
let n117 = (n114 * n116);
let n118 = (n103 + n108);
let n119 = n118;
let n120 = (n117 * n119);
n20 = (n20 + select(f32(0), n120, n81));
let n121 = n95;
let n122 = f32(n41[n89]);
let n123 = n122;
let n124 = (n121 * n123);
let n125 = (n104 + n109);
let n126 = n125;
let n127 = (n124 * n126);
n20 = (n20 + select(f32(0), n127, n81));
let n128 = n96;
let n129 = f32(n41[n91]);
let n130 = n129;
let n131 = (n128 * n130);
let n132 = (n105 + n110);
let n133 = n132;
let n134 = (n131 * n133);
n20 = (n20 + select(f32(0), n134, n81));
let n135 = n7 + 64u;
let n136 = n135 < n11;
let n137 = min(n135, n11 - 1u);
let n138 = n12 + n137;
let n139 = 4u * n138 + 0u;
let n140 = 4u * n137 + 0u;
let n141 = 4u * n138 + 1u;
let n142 = 4u * n137 + 1u;
let n143 = 4u * n138 + 2u;
let n144 = 4u * n137 + 2u;
let n145 = 4u * n138 + 3u;
let n146 = 4u * n137 + 3u;
let n147 = vec4<f32>(n34[n138]);
let n148 = n147.x;
let n149 = n147.y;
let n150 = n147.z;
let n151 = n147.w;
let n152 = n148;
let n153 = f32(n41[n140]);
let n154 = n153;
let n155 = (n152 * n154);
let n156 = vec4<f32>(n45[n138]);
let n157 = n156.x;
let n158 = n156.y;
let n159 = n156.z;
let n160 = n156.w;
let n161 = vec4<f32>(n51[n138]);
let n162 = n161.x;
let n163 = n161.y;
let n164 = n161.z;
let n165 = n161.w;
let n166 = (n157 + n162);
let n167 = n166;
let n168 = (n155 * n167);
n20 = (n20 + select(f32(0), n168, n136));
let n169 = n149;
let n170 = f32(n41[n142]);
let n171 = n170;
let n172 = (n169 * n171);
let n173 = (n158 + n163);
let n174 = n173;
let n175 = (n172 * n174);
n20 = (n20 + select(f32(0), n175, n136));
let n176 = n150;
let n177 = f32(n41[n144]);
let n178 = n177;
let n179 = (n176 * n178);
let n180 = (n159 + n164);
let n181 = n180;
let n182 = (n179 * n181);
n20 = (n20 + select(f32(0), n182, n136));
let n183 = n151;
let n184 = f32(n41[n146]);
let n185 = n184;
let n186 = (n183 * n185);
let n187 = (n160 + n165);
let n188 = n187;
let n189 = (n186 * n188);
n20 = (n20 + select(f32(0), n189, n136));
let n190 = n7 + 96u;
let n191 = n190 < n11;
let n192 = min(n190, n11 - 1u);
let n193 = n12 + n192;
let n194 = 4u * n193 + 0u;
let n195 = 4u * n192 + 0u;
let n196 = 4u * n193 + 1u;
let n197 = 4u * n192 + 1u;
let n198 = 4u * n193 + 2u;
let n199 = 4u * n192 + 2u;
let n200 = 4u * n193 + 3u;
let n201 = 4u * n192 + 3u;
let n202 = vec4<f32>(n34[n193]);
let n203 = n202.x;
let n204 = n202.y;
let n205 = n202.z;
let n206 = n202.w;
let n207 = n203;
let n208 = f32(n41[n195]);
let n209 = n208;
let n210 = (n207 * n209);
let n211 = vec4<f32>(n45[n193]);
let n212 = n211.x;
let n213 = n211.y;
let n214 = n211.z;
let n215 = n211.w;
let n216 = vec4<f32>(n51[n193]);
let n217 = n216.x;
let n218 = n216.y;
let n219 = n216.z;
let n220 = n216.w;
let n221 = (n212 + n217);
let n222 = n221;
let n223 = (n210 * n222);
n20 = (n20 + select(f32(0), n223, n191));
let n224 = n204;
let n225 = f32(n41[n197]);
let n226 = n225;
let n227 = (n224 * n226);
let n228 = (n213 + n218);
let n229 = n228;
let n230 = (n227 * n229);
n20 = (n20 + select(f32(0), n230, n191));
let n231 = n205;
let n232 = f32(n41[n199]);
let n233 = n232;
let n234 = (n231 * n233);
let n235 = (n214 + n219);
let n236 = n235;
let n237 = (n234 * n236);
n20 = (n20 + select(f32(0), n237, n191));
let n238 = n206;
let n239 = f32(n41[n201]);
let n240 = n239;
let n241 = (n238 * n240);
let n242 = (n215 + n220);
let n243 = n242;
let n244 = (n241 * n243);
n20 = (n20 + select(f32(0), n244, n191));
let n245 = n7 + 128u;
let n246 = n245 < n11;
let n247 = min(n245, n11 - 1u);
let n248 = n12 + n247;
let n249 = 4u * n248 + 0u;
let n250 = 4u * n247 + 0u;
let n251 = 4u * n248 + 1u;
let n252 = 4u * n247 + 1u;
let n253 = 4u * n248 + 2u;
let n254 = 4u * n247 + 2u;
let n255 = 4u * n248 + 3u;
let n256 = 4u * n247 + 3u;
let n257 = vec4<f32>(n34[n248]);
let n258 = n257.x;
let n259 = n257.y;
let n260 = n257.z;
let n261 = n257.w;
let n262 = n258;
let n263 = f32(n41[n250]);
let n264 = n263;
let n265 = (n262 * n264);
let n266 = vec4<f32>(n45[n248]);
let n267 = n266.x;
let n268 = n266.y;
let n269 = n266.z;
let n270 = n266.w;
let n271 = vec4<f32>(n51[n248]);
let n272 = n271.x;
let n273 = n271.y;
let n274 = n271.z;
let n275 = n271.w;
let n276 = (n267 + n272);
let n277 = n276;
let n278 = (n265 * n277);
n20 = (n20 + select(f32(0), n278, n246));
let n279 = n259;
let n280 = f32(n41[n252]);
let n281 = n280;
let n282 = (n279 * n281);
let n283 = (n268 + n273);
let n284 = n283;
let n285 = (n282 * n284);
n20 = (n20 + select(f32(0), n285, n246));
let n286 = n260;
let n287 = f32(n41[n254]);
let n288 = n287;
let n289 = (n286 * n288);
let n290 = (n269 + n274);
let n291 = n290;
let n292 = (n289 * n291);
n20 = (n20 + select(f32(0), n292, n246));
let n293 = n261;
let n294 = f32(n41[n256]);
let n295 = n294;
let n296 = (n293 * n295);
let n297 = (n270 + n275);
let n298 = n297;
let n299 = (n296 * n298);
n20 = (n20 + select(f32(0), n299, n246));
let n300 = n7 + 160u;
let n301 = n300 < n11;
let n302 = min(n300, n11 - 1u);
let n303 = n12 + n302;
let n304 = 4u * n303 + 0u;
let n305 = 4u * n302 + 0u;
let n306 = 4u * n303 + 1u;
let n307 = 4u * n302 + 1u;
let n308 = 4u * n303 + 2u;
let n309 = 4u * n302 + 2u;
let n310 = 4u * n303 + 3u;
let n311 = 4u * n302 + 3u;
let n312 = vec4<f32>(n34[n303]);
let n313 = n312.x;
let n314 = n312.y;
let n315 = n312.z;
let n316 = n312.w;
let n317 = n313;
let n318 = f32(n41[n305]);
let n319 = n318;
let n320 = (n317 * n319);
let n321 = vec4<f32>(n45[n303]);
let n322 = n321.x;
let n323 = n321.y;
let n324 = n321.z;
let n325 = n321.w;
let n326 = vec4<f32>(n51[n303]);
let n327 = n326.x;
let n328 = n326.y;
let n329 = n326.z;
let n330 = n326.w;
let n331 = (n322 + n327);
let n332 = n331;
let n333 = (n320 * n332);
n20 = (n20 + select(f32(0), n333, n301));
let n334 = n314;
let n335 = f32(n41[n307]);
let n336 = n335;
let n337 = (n334 * n336);
let n338 = (n323 + n328);
let n339 = n338;
let n340 = (n337 * n339);
n20 = (n20 + select(f32(0), n340, n301));
let n341 = n315;
let n342 = f32(n41[n309]);
let n343 = n342;
let n344 = (n341 * n343);
let n345 = (n324 + n329);
let n346 = n345;
let n347 = (n344 * n346);
n20 = (n20 + select(f32(0), n347, n301));
let n348 = n316;
let n349 = f32(n41[n311]);
let n350 = n349;
let n351 = (n348 * n350);
let n352 = (n325 + n330);
let n353 = n352;
let n354 = (n351 * n353);
n20 = (n20 + select(f32(0), n354, n301));
let n355 = n7 + 192u;
let n356 = n355 < n11;
let n357 = min(n355, n11 - 1u);
let n358 = n12 + n357;
let n359 = 4u * n358 + 0u;
let n360 = 4u * n357 + 0u;
let n361 = 4u * n358 + 1u;
let n362 = 4u * n357 + 1u;
let n363 = 4u * n358 + 2u;
let n364 = 4u * n357 + 2u;
let n365 = 4u * n358 + 3u;
let n366 = 4u * n357 + 3u;
let n367 = vec4<f32>(n34[n358]);
let n368 = n367.x;
let n369 = n367.y;
let n370 = n367.z;
let n371 = n367.w;
let n372 = n368;
let n373 = f32(n41[n360]);
let n374 = n373;
let n375 = (n372 * n374);
let n376 = vec4<f32>(n45[n358]);
let n377 = n376.x;
let n378 = n376.y;
let n379 = n376.z;
let n380 = n376.w;
let n381 = vec4<f32>(n51[n358]);
let n382 = n381.x;
let n383 = n381.y;
let n384 = n381.z;
let n385 = n381.w;
let n386 = (n377 + n382);
let n387 = n386;
let n388 = (n375 * n387);
n20 = (n20 + select(f32(0), n388, n356));
let n389 = n369;
let n390 = f32(n41[n362]);
let n391 = n390;
let n392 = (n389 * n391);
let n393 = (n378 + n383);
let n394 = n393;
let n395 = (n392 * n394);
n20 = (n20 + select(f32(0), n395, n356));
let n396 = n370;
let n397 = f32(n41[n364]);
let n398 = n397;
let n399 = (n396 * n398);
let n400 = (n379 + n384);
let n401 = n400;
let n402 = (n399 * n401);
n20 = (n20 + select(f32(0), n402, n356));
let n403 = n371;
let n404 = f32(n41[n366]);
let n405 = n404;
let n406 = (n403 * n405);
let n407 = (n380 + n385);
let n408 = n407;
let n409 = (n406 * n408);
n20 = (n20 + select(f32(0), n409, n356));
let n410 = n7 + 224u;
let n411 = n410 < n11;
let n412 = min(n410, n11 - 1u);
let n413 = n12 + n412;
let n414 = 4u * n413 + 0u;
let n415 = 4u * n412 + 0u;
let n416 = 4u * n413 + 1u;
let n417 = 4u * n412 + 1u;
let n418 = 4u * n413 + 2u;
let n419 = 4u * n412 + 2u;
let n420 = 4u * n413 + 3u;
let n421 = 4u * n412 + 3u;
let n422 = vec4<f32>(n34[n413]);
let n423 = n422.x;
let n424 = n422.y;
let n425 = n422.z;
let n426 = n422.w;
let n427 = n423;
let n428 = f32(n41[n415]);
let n429 = n428;
let n430 = (n427 * n429);
let n431 = vec4<f32>(n45[n413]);
let n432 = n431.x;
let n433 = n431.y;
let n434 = n431.z;
let n435 = n431.w;
let n436 = vec4<f32>(n51[n413]);
let n437 = n436.x;
let n438 = n436.y;
let n439 = n436.z;
let n440 = n436.w;
let n441 = (n432 + n437);
let n442 = n441;
let n443 = (n430 * n442);
n20 = (n20 + select(f32(0), n443, n411));
let n444 = n424;
let n445 = f32(n41[n417]);
let n446 = n445;
let n447 = (n444 * n446);
let n448 = (n433 + n438);
let n449 = n448;
let n450 = (n447 * n449);
n20 = (n20 + select(f32(0), n450, n411));
let n451 = n425;
let n452 = f32(n41[n419]);
let n453 = n452;
let n454 = (n451 * n453);
let n455 = (n434 + n439);
let n456 = n455;
let n457 = (n454 * n456);
n20 = (n20 + select(f32(0), n457, n411));
let n458 = n426;
let n459 = f32(n41[n421]);
let n460 = n459;
let n461 = (n458 * n460);
let n462 = (n435 + n440);
let n463 = n462;
let n464 = (n461 * n463);
n20 = (n20 + select(f32(0), n464, n411));
n465[n3] = n20;
workgroupBarrier();
for (var n466 = 16u; n466 > 0u; n466 >>= 1u) {
if (n7 < n466) { n465[n3] = (n465[n3] + n465[n3 + n466]); }
workgroupBarrier();
}
let n467 = n465[n3 - n7];
workgroupBarrier();
let n468 = (n467 * n15);
let n469 = (n468 * n13);
let n470 = (n469 * n16);
let n471 = n472(n470, n18);
let n473 = (n471 * n19);
let n474 = vec4<f32>(n475[n24]);
let n476 = n474.x;
let n477 = n474.y;
let n478 = n474.z;
let n479 = n474.w;
let n480 = (n43 * n13);
let n481 = (n473 * n57);
let n482 = (n480 + n481);
let n483 = n484(n485(n482));
let n486 = (n476 + n483);
let n487 = (n62 * n13);
let n488 = (n473 * n64);
let n489 = (n487 + n488);
let n490 = n484(n485(n489));
let n491 = (n477 + n490);
let n492 = (n69 * n13);
let n493 = (n473 * n71);
let n494 = (n492 + n493);
let n495 = n484(n485(n494));
let n496 = (n478 + n495);
let n497 = (n76 * n13);
let n498 = (n473 * n78);
let n499 = (n497 + n498);
let n500 = n484(n485(n499));
let n501 = (n479 + n500);
if (n9 && n22) {
n502[n24] = vec4<f16>(vec4<f32>(n486, n491, n496, n501));
}
let n503 = vec4<f32>(n475[n83]);
let n504 = n503.x;
let n505 = n503.y;
let n506 = n503.z;
let n507 = n503.w;
let n508 = (n100 * n13);
let n509 = (n473 * n112);
let n510 = (n508 + n509);
let n511 = n484(n485(n510));
let n512 = (n504 + n511);
let n513 = (n117 * n13);
let n514 = (n473 * n119);
let n515 = (n513 + n514);
let n516 = n484(n485(n515));
let n517 = (n505 + n516);
let n518 = (n124 * n13);
let n519 = (n473 * n126);
let n520 = (n518 + n519);
let n521 = n484(n485(n520));
let n522 = (n506 + n521);
let n523 = (n131 * n13);
let n524 = (n473 * n133);
let n525 = (n523 + n524);
let n526 = n484(n485(n525));
let n527 = (n507 + n526);
if (n9 && n81) {
n502[n83] = vec4<f16>(vec4<f32>(n512, n517, n522, n527));
}
let n528 = vec4<f32>(n475[n138]);
let n529 = n528.x;
let n530 = n528.y;
let n531 = n528.z;
let n532 = n528.w;
let n533 = (n155 * n13);
let n534 = (n473 * n167);
let n535 = (n533 + n534);
let n536 = n484(n485(n535));
let n537 = (n529 + n536);
let n538 = (n172 * n13);
let n539 = (n473 * n174);
let n540 = (n538 + n539);
let n541 = n484(n485(n540));
let n542 = (n530 + n541);
let n543 = (n179 * n13);
let n544 = (n473 * n181);
let n545 = (n543 + n544);
let n546 = n484(n485(n545));
let n547 = (n531 + n546);
let n548 = (n186 * n13);
let n549 = (n473 * n188);
let n550 = (n548 + n549);
let n551 = n484(n485(n550));
let n552 = (n532 + n551);
if (n9 && n136) {
n502[n138] = vec4<f16>(vec4<f32>(n537, n542, n547, n552));
}
let n553 = vec4<f32>(n475[n193]);
let n554 = n553.x;
let n555 = n553.y;
let n556 = n553.z;
let n557 = n553.w;
let n558 = (n210 * n13);
let n559 = (n473 * n222);
let n560 = (n558 + n559);
let n561 = n484(n485(n560));
let n562 = (n554 + n561);
let n563 = (n227 * n13);
let n564 = (n473 * n229);
let n565 = (n563 + n564);
let n566 = n484(n485(n565));
let n567 = (n555 + n566);
let n568 = (n234 * n13);
let n569 = (n473 * n236);
let n570 = (n568 + n569);
let n571 = n484(n485(n570));
let n572 = (n556 + n571);
let n573 = (n241 * n13);
let n574 = (n473 * n243);
let n575 = (n573 + n574);
let n576 = n484(n485(n575));
let n577 = (n557 + n576);
if (n9 && n191) {
n502[n193] = vec4<f16>(vec4<f32>(n562, n567, n572, n577));
}
let n578 = vec4<f32>(n475[n248]);
let n579 = n578.x;
let n580 = n578.y;
let n581 = n578.z;
let n582 = n578.w;
let n583 = (n265 * n13);
let n584 = (n473 * n277);
let n585 = (n583 + n584);
let n586 = n484(n485(n585));
let n587 = (n579 + n586);
let n588 = (n282 * n13);
let n589 = (n473 * n284);
let n590 = (n588 + n589);
let n591 = n484(n485(n590));
let n592 = (n580 + n591);
let n593 = (n289 * n13);
let n594 = (n473 * n291);
let n595 = (n593 + n594);
let n596 = n484(n485(n595));
let n597 = (n581 + n596);
let n598 = (n296 * n13);
let n599 = (n473 * n298);
let n600 = (n598 + n599);
let n601 = n484(n485(n600));
let n602 = (n582 + n601);
if (n9 && n246) {
n502[n248] = vec4<f16>(vec4<f32>(n587, n592, n597, n602));
}
let n603 = vec4<f32>(n475[n303]);
let n604 = n603.x;
let n605 = n603.y;
let n606 = n603.z;
let n607 = n603.w;
let n608 = (n320 * n13);
let n609 = (n473 * n332);
let n610 = (n608 + n609);
let n611 = n484(n485(n610));
let n612 = (n604 + n611);
let n613 = (n337 * n13);
let n614 = (n473 * n339);
let n615 = (n613 + n614);
let n616 = n484(n485(n615));
let n617 = (n605 + n616);
let n618 = (n344 * n13);
let n619 = (n473 * n346);
let n620 = (n618 + n619);
let n621 = n484(n485(n620));
let n622 = (n606 + n621);
let n623 = (n351 * n13);
let n624 = (n473 * n353);
let n625 = (n623 + n624);
let n626 = n484(n485(n625));
let n627 = (n607 + n626);
if (n9 && n301) {
n502[n303] = vec4<f16>(vec4<f32>(n612, n617, n622, n627));
}
let n628 = vec4<f32>(n475[n358]);
let n629 = n628.x;
let n630 = n628.y;
let n631 = n628.z;
let n632 = n628.w;
let n633 = (n375 * n13);
let n634 = (n473 * n387);
let n635 = (n633 + n634);
let n636 = n484(n485(n635));
let n637 = (n629 + n636);
let n638 = (n392 * n13);
let n639 = (n473 * n394);
let n640 = (n638 + n639);
let n641 = n484(n485(n640));
let n642 = (n630 + n641);
let n643 = (n399 * n13);
let n644 = (n473 * n401);
let n645 = (n643 + n644);
let n646 = n484(n485(n645));
let n647 = (n631 + n646);
let n648 = (n406 * n13);
let n649 = (n473 * n408);
let n650 = (n648 + n649);
let n651 = n484(n485(n650));
let n652 = (n632 + n651);
if (n9 && n356) {
n502[n358] = vec4<f16>(vec4<f32>(n637, n642, n647, n652));
}
let n653 = vec4<f32>(n475[n413]);
let n654 = n653.x;
let n655 = n653.y;
let n656 = n653.z;
let n657 = n653.w;
let n658 = (n430 * n13);
let n659 = (n473 * n442);
let n660 = (n658 + n659);
let n661 = n484(n485(n660));
let n662 = (n654 + n661);
let n663 = (n447 * n13);
let n664 = (n473 * n449);
let n665 = (n663 + n664);
let n666 = n484(n485(n665));
let n667 = (n655 + n666);
let n668 = (n454 * n13);
let n669 = (n473 * n456);
let n670 = (n668 + n669);
let n671 = n484(n485(n670));
let n672 = (n656 + n671);
let n673 = (n461 * n13);
let n674 = (n473 * n463);
let n675 = (n673 + n674);
let n676 = n484(n485(n675));
let n677 = (n657 + n676);
if (n9 && n411) {
n502[n413] = vec4<f16>(vec4<f32>(n662, n667, n672, n677));
}
}
// 6b25545f4a42
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = n7 + 32u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n29[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n15 = (n15 + select(f32(0), n47, n35));
n15 = (n15 + select(f32(0), n48, n35));
n15 = (n15 + select(f32(0), n49, n35));
n15 = (n15 + select(f32(0), n50, n35));
let n51 = n7 + 64u;
let n52 = n51 < n11;
let n53 = min(n51, n11 - 1u);
let n54 = n12 + n53;
let n55 = 4u * n54 + 0u;
let n56 = 4u * n53 + 0u;
let n57 = 4u * n54 + 1u;
let n58 = 4u * n53 + 1u;
let n59 = 4u * n54 + 2u;
let n60 = 4u * n53 + 2u;
let n61 = 4u * n54 + 3u;
let n62 = 4u * n53 + 3u;
let n63 = n29[n54];
let n64 = n63.x;
let n65 = n63.y;
let n66 = n63.z;
let n67 = n63.w;
n15 = (n15 + select(f32(0), n64, n52));
n15 = (n15 + select(f32(0), n65, n52));
n15 = (n15 + select(f32(0), n66, n52));
n15 = (n15 + select(f32(0), n67, n52));
let n68 = n7 + 96u;
let n69 = n68 < n11;
let n70 = min(n68, n11 - 1u);
let n71 = n12 + n70;
let n72 = 4u * n71 + 0u;
let n73 = 4u * n70 + 0u;
let n74 = 4u * n71 + 1u;
let n75 = 4u * n70 + 1u;
let n76 = 4u * n71 + 2u;
let n77 = 4u * n70 + 2u;
let n78 = 4u * n71 + 3u;
let n79 = 4u * n70 + 3u;
let n80 = n29[n71];
let n81 = n80.x;
let n82 = n80.y;
let n83 = n80.z;
let n84 = n80.w;
n15 = (n15 + select(f32(0), n81, n69));
n15 = (n15 + select(f32(0), n82, n69));
n15 = (n15 + select(f32(0), n83, n69));
n15 = (n15 + select(f32(0), n84, n69));
let n85 = n7 + 128u;
let n86 = n85 < n11;
let n87 = min(n85, n11 - 1u);
let n88 = n12 + n87;
let n89 = 4u * n88 + 0u;
let n90 = 4u * n87 + 0u;
let n91 = 4u * n88 + 1u;
let n92 = 4u * n87 + 1u;
let n93 = 4u * n88 + 2u;
let n94 = 4u * n87 + 2u;
let n95 = 4u * n88 + 3u;
let n96 = 4u * n87 + 3u;
let n97 = n29[n88];
let n98 = n97.x;
let n99 = n97.y;
let n100 = n97.z;
let n101 = n97.w;
n15 = (n15 + select(f32(0), n98, n86));
n15 = (n15 + select(f32(0), n99, n86));
n15 = (n15 + select(f32(0), n100, n86));
n15 = (n15 + select(f32(0), n101, n86));
let n102 = n7 + 160u;
let n103 = n102 < n11;
let n104 = min(n102, n11 - 1u);
let n105 = n12 + n104;
let n106 = 4u * n105 + 0u;
let n107 = 4u * n104 + 0u;
let n108 = 4u * n105 + 1u;
let n109 = 4u * n104 + 1u;
let n110 = 4u * n105 + 2u;
let n111 = 4u * n104 + 2u;
let n112 = 4u * n105 + 3u;
let n113 = 4u * n104 + 3u;
let n114 = n29[n105];
let n115 = n114.x;
let n116 = n114.y;
let n117 = n114.z;
let n118 = n114.w;
n15 = (n15 + select(f32(0), n115, n103));
n15 = (n15 + select(f32(0), n116, n103));
n15 = (n15 + select(f32(0), n117, n103));
n15 = (n15 + select(f32(0), n118, n103));
let n119 = n7 + 192u;
let n120 = n119 < n11;
let n121 = min(n119, n11 - 1u);
let n122 = n12 + n121;
let n123 = 4u * n122 + 0u;
let n124 = 4u * n121 + 0u;
let n125 = 4u * n122 + 1u;
let n126 = 4u * n121 + 1u;
let n127 = 4u * n122 + 2u;
let n128 = 4u * n121 + 2u;
let n129 = 4u * n122 + 3u;
let n130 = 4u * n121 + 3u;
let n131 = n29[n122];
let n132 = n131.x;
let n133 = n131.y;
let n134 = n131.z;
let n135 = n131.w;
n15 = (n15 + select(f32(0), n132, n120));
n15 = (n15 + select(f32(0), n133, n120));
n15 = (n15 + select(f32(0), n134, n120));
n15 = (n15 + select(f32(0), n135, n120));
let n136 = n7 + 224u;
let n137 = n136 < n11;
let n138 = min(n136, n11 - 1u);
let n139 = n12 + n138;
let n140 = 4u * n139 + 0u;
let n141 = 4u * n138 + 0u;
let n142 = 4u * n139 + 1u;
let n143 = 4u * n138 + 1u;
let n144 = 4u * n139 + 2u;
let n145 = 4u * n138 + 2u;
let n146 = 4u * n139 + 3u;
let n147 = 4u * n138 + 3u;
let n148 = n29[n139];
let n149 = n148.x;
let n150 = n148.y;
let n151 = n148.z;
let n152 = n148.w;
n15 = (n15 + select(f32(0), n149, n137));
n15 = (n15 + select(f32(0), n150, n137));
n15 = (n15 + select(f32(0), n151, n137));
n15 = (n15 + select(f32(0), n152, n137));
n153[n3] = n15;
workgroupBarrier();
for (var n154 = 16u; n154 > 0u; n154 >>= 1u) {
if (n7 < n154) { n153[n3] = (n153[n3] + n153[n3 + n154]); }
workgroupBarrier();
}
let n155 = n153[n3 - n7];
workgroupBarrier();
let n156 = n157(n155, n13);
let n158 = (n156 + n14);
let n159 = inverseSqrt(n158);
let n160 = n161[n19];
let n162 = n160.x;
let n163 = n160.y;
let n164 = n160.z;
let n165 = n160.w;
let n166 = (n162 * n159);
let n167 = n168[n21];
let n169 = (n166 * n167);
let n170 = (n163 * n159);
let n171 = n168[n23];
let n172 = (n170 * n171);
let n173 = (n164 * n159);
let n174 = n168[n25];
let n175 = (n173 * n174);
let n176 = (n165 * n159);
let n177 = n168[n27];
let n178 = (n176 * n177);
if (n9 && n17) {
n179[n19] = vec4<f32>(n169, n172, n175, n178);
}
let n180 = n161[n37];
let n181 = n180.x;
let n182 = n180.y;
let n183 = n180.z;
let n184 = n180.w;
let n185 = (n181 * n159);
let n186 = n168[n39];
let n187 = (n185 * n186);
let n188 = (n182 * n159);
let n189 = n168[n41];
let n190 = (n188 * n189);
let n191 = (n183 * n159);
let n192 = n168[n43];
let n193 = (n191 * n192);
let n194 = (n184 * n159);
let n195 = n168[n45];
let n196 = (n194 * n195);
if (n9 && n35) {
n179[n37] = vec4<f32>(n187, n190, n193, n196);
}
let n197 = n161[n54];
let n198 = n197.x;
let n199 = n197.y;
let n200 = n197.z;
let n201 = n197.w;
let n202 = (n198 * n159);
let n203 = n168[n56];
let n204 = (n202 * n203);
let n205 = (n199 * n159);
let n206 = n168[n58];
let n207 = (n205 * n206);
let n208 = (n200 * n159);
let n209 = n168[n60];
let n210 = (n208 * n209);
let n211 = (n201 * n159);
let n212 = n168[n62];
let n213 = (n211 * n212);
if (n9 && n52) {
n179[n54] = vec4<f32>(n204, n207, n210, n213);
}
let n214 = n161[n71];
let n215 = n214.x;
let n216 = n214.y;
let n217 = n214.z;
let n218 = n214.w;
let n219 = (n215 * n159);
let n220 = n168[n73];
let n221 = (n219 * n220);
let n222 = (n216 * n159);
let n223 = n168[n75];
let n224 = (n222 * n223);
let n225 = (n217 * n159);
let n226 = n168[n77];
let n227 = (n225 * n226);
let n228 = (n218 * n159);
let n229 = n168[n79];
let n230 = (n228 * n229);
if (n9 && n69) {
n179[n71] = vec4<f32>(n221, n224, n227, n230);
}
let n231 = n161[n88];
let n232 = n231.x;
let n233 = n231.y;
let n234 = n231.z;
let n235 = n231.w;
let n236 = (n232 * n159);
let n237 = n168[n90];
let n238 = (n236 * n237);
let n239 = (n233 * n159);
let n240 = n168[n92];
let n241 = (n239 * n240);
let n242 = (n234 * n159);
let n243 = n168[n94];
let n244 = (n242 * n243);
let n245 = (n235 * n159);
let n246 = n168[n96];
let n247 = (n245 * n246);
if (n9 && n86) {
n179[n88] = vec4<f32>(n238, n241, n244, n247);
}
let n248 = n161[n105];
let n249 = n248.x;
let n250 = n248.y;
let n251 = n248.z;
let n252 = n248.w;
let n253 = (n249 * n159);
let n254 = n168[n107];
let n255 = (n253 * n254);
let n256 = (n250 * n159);
let n257 = n168[n109];
let n258 = (n256 * n257);
let n259 = (n251 * n159);
let n260 = n168[n111];
let n261 = (n259 * n260);
let n262 = (n252 * n159);
let n263 = n168[n113];
let n264 = (n262 * n263);
if (n9 && n103) {
n179[n105] = vec4<f32>(n255, n258, n261, n264);
}
let n265 = n161[n122];
let n266 = n265.x;
let n267 = n265.y;
let n268 = n265.z;
let n269 = n265.w;
let n270 = (n266 * n159);
let n271 = n168[n124];
let n272 = (n270 * n271);
let n273 = (n267 * n159);
let n274 = n168[n126];
let n275 = (n273 * n274);
let n276 = (n268 * n159);
let n277 = n168[n128];
let n278 = (n276 * n277);
let n279 = (n269 * n159);
let n280 = n168[n130];
let n281 = (n279 * n280);
if (n9 && n120) {
n179[n122] = vec4<f32>(n272, n275, n278, n281);
}
let n282 = n161[n139];
let n283 = n282.x;
let n284 = n282.y;
let n285 = n282.z;
let n286 = n282.w;
let n287 = (n283 * n159);
let n288 = n168[n141];
let n289 = (n287 * n288);
let n290 = (n284 * n159);
let n291 = n168[n143];
let n292 = (n290 * n291);
let n293 = (n285 * n159);
let n294 = n168[n145];
let n295 = (n293 * n294);
let n296 = (n286 * n159);
let n297 = n168[n147];
let n298 = (n296 * n297);
if (n9 && n137) {
n179[n139] = vec4<f32>(n289, n292, n295, n298);
}
}
// 6bbae11af42b
@compute @workgroup_size(n0, n1)
fn n2(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) n3: vec3<u32>,
@builtin(local_invocation_index) n4: u32) {
let n5 = n6(group);
let n7 = n5.y;
let n8 = n5.x;
let n9 = n10(n5.z);
let n11 = n12();
var n13: array<array<vec4<n14>, n15>, n16 * 4u>;
var n17: array<vec4<n18>, n19>;
var n20: array<vec4<n18>, n21>;
for (var n22 = 0u; n22 < n19; n22++) { n17[n22] = n23(n9, n7, 0u, n4 + n22 * n1 * n0); }
for (var n22 = 0u; n22 < n21; n22++) { n20[n22] = n24(n9, n8, 0u, n4 + n22 * n1 * n0); }
for (var n25 = 0u; n25 < n11; n25 += n26) {
for (var n22 = 0u; n22 < n19; n22++) { n27(n4 + n22 * n1 * n0, n17[n22]); }
for (var n22 = 0u; n22 < n21; n22++) { n28(n4 + n22 * n1 * n0, n20[n22]); }
workgroupBarrier();
let n29 = n25 + n26;
if (n29 < n11) {
for (var n22 = 0u; n22 < n19; n22++) { n17[n22] = n23(n9, n7, n29, n4 + n22 * n1 * n0); }
for (var n22 = 0u; n22 < n21; n22++) { n20[n22] = n24(n9, n8, n29, n4 + n22 * n1 * n0); }
}
for (var n30 = 0u; n30 < n26; n30++) {
var n31: array<vec4<n14>, n15>;
for (var n32 = 0u; n32 < n15; n32++) { n31[n32] = n33[n30 * n34 + n32 * n0 + n3.x]; }
for (var n35 = 0u; n35 < n16; n35++) {
let n36 = n37[n30 * n38 + n35 * n1 + n3.y];
for (var n32 = 0u; n32 < n15; n32++) {
n13[4u * n35][n32] = n39(n36.x, n31[n32], n13[4u * n35][n32]);
n13[4u * n35 + 1u][n32] = n39(n36.y, n31[n32], n13[4u * n35 + 1u][n32]);
n13[4u * n35 + 2u][n32] = n39(n36.z, n31[n32], n13[4u * n35 + 2u][n32]);
n13[4u * n35 + 3u][n32] = n39(n36.w, n31[n32], n13[4u * n35 + 3u][n32]);
}
}
}
workgroupBarrier();
}
for (var n35 = 0u; n35 < n16; n35++) {
for (var n22 = 0u; n22 < 4u; n22++) {
let n40 = n7 + 4u * (n35 * n1 + n3.y) + n22;
for (var n32 = 0u; n32 < n15; n32++) {
n41(n5.z, n40, n8 + 4u * (n32 * n0 + n3.x), vec4<n42>(n13[4u * n35 + n22][n32]));
}
}
}
}
// 6bcb868f1425
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
n14[n1] = vec4<f32>(n10, n11, n12, n13);
}
// 6bdea1c6e6c4
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[5].x);
let n14 = bitcast<f32>(n5[5].y);
let n15 = n16(n13, n14);
let n17 = (-n15);
let n18 = (-n17);
let n19 = bitcast<f32>(n5[5].z);
let n20 = bitcast<f32>(n5[5].w);
let n21 = bitcast<i32>(n5[6].x);
let n22 = bitcast<i32>(n5[6].y);
let n23 = n24[n10];
var n25: f32 = (-n26());
let n27 = n7 + 0u;
let n28 = n27 < n11;
let n29 = min(n27, n11 - 1u);
let n30 = n12 + n29;
let n31 = 4u * n30 + 0u;
let n32 = 4u * n29 + 0u;
let n33 = 4u * n30 + 1u;
let n34 = 4u * n29 + 1u;
let n35 = 4u * n30 + 2u;
let n36 = 4u * n29 + 2u;
let n37 = 4u * n30 + 3u;
let n38 = 4u * n29 + 3u;
let n39 = n40[n30];
let n41 = n39.x;
let n42 = n39.y;
let n43 = n39.z;
let n44 = n39.w;
n25 = n45(n25, select((-n26()), n41, n28));
n25 = n45(n25, select((-n26()), n42, n28));
n25 = n45(n25, select((-n26()), n43, n28));
n25 = n45(n25, select((-n26()), n44, n28));
n46[n3] = n25;
workgroupBarrier();
for (var n47 = 128u; n47 > 0u; n47 >>= 1u) {
if (n7 < n47) { n46[n3] = n45(n46[n3], n46[n3 + n47]); }
workgroupBarrier();
}
let n48 = n46[n3 - n7];
workgroupBarrier();
let n49 = n50(n48);
let n51 = select(n19, n48, n49);
var n52: f32 = f32(0);
let n53 = (n41 - n51);
let n54 = n55(n53);
n52 = (n52 + select(f32(0), n54, n28));
let n56 = (n42 - n51);
let n57 = n55(n56);
n52 = (n52 + select(f32(0), n57, n28));
let n58 = (n43 - n51);
let n59 = n55(n58);
n52 = (n52 + select(f32(0), n59, n28));
let n60 = (n44 - n51);
let n61 = n55(n60);
n52 = (n52 + select(f32(0), n61, n28));
n46[n3] = n52;
workgroupBarrier();
for (var n47 = 128u; n47 > 0u; n47 >>= 1u) {
if (n7 < n47) { n46[n3] = (n46[n3] + n46[n3 + n47]); }
workgroupBarrier();
}
let n62 = n46[n3 - n7];
workgroupBarrier();
let n63 = n64(n62);
let n65 = (n63 + n51);
let n66 = (n65 == n20);
let n67 = select(n65, n19, n66);
let n68 = (n41 - n67);
let n69 = n55(n68);
let n70 = (n18 * n69);
let n71 = bitcast<i32>(n32);
let n72 = (n71 * n22);
let n73 = (n21 + n72);
let n74 = (n73 == n23);
let n75 = select(n19, n17, n74);
let n76 = (n70 + n75);
let n77 = (n42 - n67);
let n78 = n55(n77);
let n79 = (n18 * n78);
let n80 = bitcast<i32>(n34);
let n81 = (n80 * n22);
let n82 = (n21 + n81);
let n83 = (n82 == n23);
let n84 = select(n19, n17, n83);
let n85 = (n79 + n84);
let n86 = (n43 - n67);
let n87 = n55(n86);
let n88 = (n18 * n87);
let n89 = bitcast<i32>(n36);
let n90 = (n89 * n22);
let n91 = (n21 + n90);
let n92 = (n91 == n23);
let n93 = select(n19, n17, n92);
let n94 = (n88 + n93);
let n95 = (n44 - n67);
let n96 = n55(n95);
let n97 = (n18 * n96);
let n98 = bitcast<i32>(n38);
let n99 = (n98 * n22);
let n100 = (n21 + n99);
let n101 = (n100 == n23);
let n102 = select(n19, n17, n101);
let n103 = (n97 + n102);
if (n9 && n28) {
n104[n30] = vec4<f32>(n76, n85, n94, n103);
}
}
// 6c5727792f7c
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 12>;
// 6cba5ddd47c2
@group(0) @binding(1) var<storage, read_write> n0: array<vec4<i32>>;
// 6d6c446c0e1a
fn n0(n1: n2, n3: n4) {
for (var n5 = 0u; n5 < n6; n5++) {
for (var n7 = 0u; n7 < 4u; n7++) {
n8[(4u * n1.x + n7) * n9 + n5 * n10 + n1.y] =
vec4<f32>(n3[4u * n5][n7], n3[4u * n5 + 1u][n7], n3[4u * n5 + 2u][n7], n3[4u * n5 + 3u][n7]);
}
}
}
// 6d7192ca3998
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n12 / n3[3].y;
let n14 = n13 / n3[2].w;
let n15 = n14 / n3[2].y;
let n16 = (n12 - n13 * n3[3].y) + (n13 - n14 * n3[2].w) * n3[3].x + (n14 - n15 * n3[2].y) * n3[2].z + n15 * n3[2].x;
let n17 = f32(n18[n16]);
let n19 = n4 / n3[4].w;
let n20 = n4 - n19 * n3[4].w - n3[5].x;
let n21 = n19 - n3[4].y;
let n22 = n20 < n3[5].y && n21 < n3[4].z;
let n23 = select(0u, n20 + n21 * n3[5].y, n22);
let n24 = f32(n25[n23]);
let n26 = bitcast<f32>(n3[6].y);
let n27 = select(n26, n24, n22);
let n28 = select(n27, n17, n11);
let n29 = n5 / n3[1].x;
let n30 = n5 - n29 * n3[1].x - n3[1].y;
let n31 = n29 - n3[0].z;
let n32 = n30 < n3[1].z && n31 < n3[0].w;
let n33 = select(0u, n30 + n31 * n3[1].z, n32);
let n34 = n33 / n3[3].y;
let n35 = n34 / n3[2].w;
let n36 = n35 / n3[2].y;
let n37 = (n33 - n34 * n3[3].y) + (n34 - n35 * n3[2].w) * n3[3].x + (n35 - n36 * n3[2].y) * n3[2].z + n36 * n3[2].x;
let n38 = f32(n18[n37]);
let n39 = n5 / n3[4].w;
let n40 = n5 - n39 * n3[4].w - n3[5].x;
let n41 = n39 - n3[4].y;
let n42 = n40 < n3[5].y && n41 < n3[4].z;
let n43 = select(0u, n40 + n41 * n3[5].y, n42);
let n44 = f32(n25[n43]);
let n45 = select(n26, n44, n42);
let n46 = select(n45, n38, n32);
let n47 = n6 / n3[1].x;
let n48 = n6 - n47 * n3[1].x - n3[1].y;
let n49 = n47 - n3[0].z;
let n50 = n48 < n3[1].z && n49 < n3[0].w;
let n51 = select(0u, n48 + n49 * n3[1].z, n50);
let n52 = n51 / n3[3].y;
let n53 = n52 / n3[2].w;
let n54 = n53 / n3[2].y;
let n55 = (n51 - n52 * n3[3].y) + (n52 - n53 * n3[2].w) * n3[3].x + (n53 - n54 * n3[2].y) * n3[2].z + n54 * n3[2].x;
let n56 = f32(n18[n55]);
let n57 = n6 / n3[4].w;
let n58 = n6 - n57 * n3[4].w - n3[5].x;
let n59 = n57 - n3[4].y;
let n60 = n58 < n3[5].y && n59 < n3[4].z;
let n61 = select(0u, n58 + n59 * n3[5].y, n60);
let n62 = f32(n25[n61]);
let n63 = select(n26, n62, n60);
let n64 = select(n63, n56, n50);
let n65 = n7 / n3[1].x;
let n66 = n7 - n65 * n3[1].x - n3[1].y;
let n67 = n65 - n3[0].z;
let n68 = n66 < n3[1].z && n67 < n3[0].w;
let n69 = select(0u, n66 + n67 * n3[1].z, n68);
let n70 = n69 / n3[3].y;
let n71 = n70 / n3[2].w;
let n72 = n71 / n3[2].y;
let n73 = (n69 - n70 * n3[3].y) + (n70 - n71 * n3[2].w) * n3[3].x + (n71 - n72 * n3[2].y) * n3[2].z + n72 * n3[2].x;
let n74 = f32(n18[n73]);
let n75 = n7 / n3[4].w;
let n76 = n7 - n75 * n3[4].w - n3[5].x;
let n77 = n75 - n3[4].y;
let n78 = n76 < n3[5].y && n77 < n3[4].z;
let n79 = select(0u, n76 + n77 * n3[5].y, n78);
let n80 = f32(n25[n79]);
let n81 = select(n26, n80, n78);
let n82 = select(n81, n74, n68);
n83[n1] = vec4<f16>(vec4<f32>(n28, n46, n64, n82));
}
// 6d74b4b760a9
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n2 / n4[2].z;
let n5 = n2 - n3 * n4[2].z;
let n6 = n3 * n4[3].x + n5;
let n7 = n8((n9[n6 >> 1u] >> ((n6 & 1u) << 4u)) & 0xffffu);
let n10 = n11(n7);
let n12 = (n7 * n10);
let n13 = n3 * n4[4].y + n5 + n4[5].x;
let n14 = n8((n9[n13 >> 1u] >> ((n13 & 1u) << 4u)) & 0xffffu);
let n15 = (n12 * n14);
let n16 = n2 + 1u;
let n17 = n5 + 1u == n4[2].z;
let n18 = select(n3, n3 + 1u, n17);
let n19 = select(n5 + 1u, 0u, n17);
let n20 = n18 * n4[3].x + n19;
let n21 = n8((n9[n20 >> 1u] >> ((n20 & 1u) << 4u)) & 0xffffu);
let n22 = n11(n21);
let n23 = (n21 * n22);
let n24 = n18 * n4[4].y + n19 + n4[5].x;
let n25 = n8((n9[n24 >> 1u] >> ((n24 & 1u) << 4u)) & 0xffffu);
let n26 = (n23 * n25);
let n27 = n2 + 2u;
let n28 = n19 + 1u == n4[2].z;
let n29 = select(n18, n18 + 1u, n28);
let n30 = select(n19 + 1u, 0u, n28);
let n31 = n29 * n4[3].x + n30;
let n32 = n8((n9[n31 >> 1u] >> ((n31 & 1u) << 4u)) & 0xffffu);
let n33 = n11(n32);
let n34 = (n32 * n33);
let n35 = n29 * n4[4].y + n30 + n4[5].x;
let n36 = n8((n9[n35 >> 1u] >> ((n35 & 1u) << 4u)) & 0xffffu);
let n37 = (n34 * n36);
let n38 = n2 + 3u;
let n39 = n30 + 1u == n4[2].z;
let n40 = select(n29, n29 + 1u, n39);
let n41 = select(n30 + 1u, 0u, n39);
let n42 = n40 * n4[3].x + n41;
let n43 = n8((n9[n42 >> 1u] >> ((n42 & 1u) << 4u)) & 0xffffu);
let n44 = n11(n43);
let n45 = (n43 * n44);
let n46 = n40 * n4[4].y + n41 + n4[5].x;
let n47 = n8((n9[n46 >> 1u] >> ((n46 & 1u) << 4u)) & 0xffffu);
let n48 = (n45 * n47);
return vec4<f32>(n8(n49(n15)), n8(n49(n26)), n8(n49(n37)), n8(n49(n48)));
}
// 6d85e8e5cb37
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
let n34 = n7 + 128u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n28[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n13 = n33(n13, select((-n14()), n47, n35));
n13 = n33(n13, select((-n14()), n48, n35));
n13 = n33(n13, select((-n14()), n49, n35));
n13 = n33(n13, select((-n14()), n50, n35));
let n51 = subgroupAny(n52(n13));
let n53 = subgroupMax(select(n13, (-n14()), n52(n13)));
let n54 = select(n53, n55(), n51);
if (n3 % 32u == 0u) { n56[n3 / 32u] = n54; }
workgroupBarrier();
let n57 = (n3 - n7) / 32u;
var n58 = n56[n57];
for (var n59 = 1u; n59 < 4u; n59++) { n58 = n33(n58, n56[n57 + n59]); }
let n60 = n58;
workgroupBarrier();
var n61: f32 = f32(0);
let n62 = (n29 - n60);
let n63 = n64(n62);
n61 = (n61 + select(f32(0), n63, n16));
let n65 = (n30 - n60);
let n66 = n64(n65);
n61 = (n61 + select(f32(0), n66, n16));
let n67 = (n31 - n60);
let n68 = n64(n67);
n61 = (n61 + select(f32(0), n68, n16));
let n69 = (n32 - n60);
let n70 = n64(n69);
n61 = (n61 + select(f32(0), n70, n16));
let n71 = (n47 - n60);
let n72 = n64(n71);
n61 = (n61 + select(f32(0), n72, n35));
let n73 = (n48 - n60);
let n74 = n64(n73);
n61 = (n61 + select(f32(0), n74, n35));
let n75 = (n49 - n60);
let n76 = n64(n75);
n61 = (n61 + select(f32(0), n76, n35));
let n77 = (n50 - n60);
let n78 = n64(n77);
n61 = (n61 + select(f32(0), n78, n35));
let n79 = subgroupAdd(n61);
if (n3 % 32u == 0u) { n56[n3 / 32u] = n79; }
workgroupBarrier();
let n80 = (n3 - n7) / 32u;
var n81 = n56[n80];
for (var n59 = 1u; n59 < 4u; n59++) { n81 = (n81 + n56[n80 + n59]); }
let n82 = n81;
workgroupBarrier();
let n83 = n84(n63, n82);
let n85 = n84(n66, n82);
let n86 = n84(n68, n82);
let n87 = n84(n70, n82);
if (n9 && n16) {
n88[n18] = vec4<f32>(n83, n85, n86, n87);
}
let n89 = n84(n72, n82);
let n90 = n84(n74, n82);
let n91 = n84(n76, n82);
let n92 = n84(n78, n82);
if (n9 && n35) {
n88[n37] = vec4<f32>(n89, n90, n91, n92);
}
}
// 6dc55b04d132
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 6>;
// 6e50cf7577b0
@group(0) @binding(9) var<storage, read> n0: array<f32>;
// 6ee53487e338
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[2u * n7];
let n18 = n17[2u * n7 + 1u];
let n19 = n20((n16 >> 0u) & 0xffffu);
let n21 = n20((n16 >> 16u) & 0xffffu);
let n22 = n20((n18 >> 0u) & 0xffffu);
let n23 = n20((n18 >> 16u) & 0xffffu);
let n24 = (n19 * n3.x);
let n25 = (n21 * n3.y);
let n26 = (n22 * n3.z);
let n27 = (n23 * n3.w);
n28[2u * n7] = n29(n24) | (n29(n25) << 16u);
n28[2u * n7 + 1u] = n29(n26) | (n29(n27) << 16u);
}
// 6f57223c0333
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[2].w + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 70813cce0578
const n0: f32 = -3.4028234e38;
// 7098c653ad3e
@group(0) @binding(2) var<storage, read> n0: array<f32>;
// 70af047f3f01
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[2].x;
n2.n4 += (n3 % n5[1].x) * n5[1].y;
n3 = n3 / n5[1].x;
}
{ var n3 = z;
n2.n6 = n5[8].z;
}
return n2;
}
// 71d3b49ec247
fn n0(n1: f32, n2: f32) -> f32 {
return select(select(max(n1, n2), n2, n3(n2)), n1, n3(n1));
}
// 724359a2a75d
@group(0) @binding(8) var<uniform> n0: array<vec4<u32>, 4>;
// 7269e7f87033
fn n0(n1: u32, n2: u32) -> n3 { return coopLoadT<n3>(&n4[n2 * n5 + n1 / 4u], n5); }
// 7396ba0b5bad
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
switch n6 {
case 0u: {
return n7(n1, n3, n4);
}
case 1u: {
return n8(n1, n3, n4);
}
default: {
return n9(n1, n3, n4);
}
}
}
// 7423f70a6dad
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n12 / n3[3].y;
let n14 = n13 / n3[2].w;
let n15 = n14 / n3[2].y;
let n16 = (n12 - n13 * n3[3].y) + (n13 - n14 * n3[2].w) * n3[3].x + (n14 - n15 * n3[2].y) * n3[2].z + n15 * n3[2].x;
let n17 = n18((n19[n16 >> 1u] >> ((n16 & 1u) << 4u)) & 0xffffu);
let n20 = n4 / n3[4].w;
let n21 = n4 - n20 * n3[4].w - n3[5].x;
let n22 = n20 - n3[4].y;
let n23 = n21 < n3[5].y && n22 < n3[4].z;
let n24 = select(0u, n21 + n22 * n3[5].y, n23);
let n25 = n18((n26[n24 >> 1u] >> ((n24 & 1u) << 4u)) & 0xffffu);
let n27 = bitcast<f32>(n3[6].y);
let n28 = select(n27, n25, n23);
let n29 = select(n28, n17, n11);
let n30 = n5 / n3[1].x;
let n31 = n5 - n30 * n3[1].x - n3[1].y;
let n32 = n30 - n3[0].z;
let n33 = n31 < n3[1].z && n32 < n3[0].w;
let n34 = select(0u, n31 + n32 * n3[1].z, n33);
let n35 = n34 / n3[3].y;
let n36 = n35 / n3[2].w;
let n37 = n36 / n3[2].y;
let n38 = (n34 - n35 * n3[3].y) + (n35 - n36 * n3[2].w) * n3[3].x + (n36 - n37 * n3[2].y) * n3[2].z + n37 * n3[2].x;
let n39 = n18((n19[n38 >> 1u] >> ((n38 & 1u) << 4u)) & 0xffffu);
let n40 = n5 / n3[4].w;
let n41 = n5 - n40 * n3[4].w - n3[5].x;
let n42 = n40 - n3[4].y;
let n43 = n41 < n3[5].y && n42 < n3[4].z;
let n44 = select(0u, n41 + n42 * n3[5].y, n43);
let n45 = n18((n26[n44 >> 1u] >> ((n44 & 1u) << 4u)) & 0xffffu);
let n46 = select(n27, n45, n43);
let n47 = select(n46, n39, n33);
let n48 = n6 / n3[1].x;
let n49 = n6 - n48 * n3[1].x - n3[1].y;
let n50 = n48 - n3[0].z;
let n51 = n49 < n3[1].z && n50 < n3[0].w;
let n52 = select(0u, n49 + n50 * n3[1].z, n51);
let n53 = n52 / n3[3].y;
let n54 = n53 / n3[2].w;
let n55 = n54 / n3[2].y;
let n56 = (n52 - n53 * n3[3].y) + (n53 - n54 * n3[2].w) * n3[3].x + (n54 - n55 * n3[2].y) * n3[2].z + n55 * n3[2].x;
let n57 = n18((n19[n56 >> 1u] >> ((n56 & 1u) << 4u)) & 0xffffu);
let n58 = n6 / n3[4].w;
let n59 = n6 - n58 * n3[4].w - n3[5].x;
let n60 = n58 - n3[4].y;
let n61 = n59 < n3[5].y && n60 < n3[4].z;
let n62 = select(0u, n59 + n60 * n3[5].y, n61);
let n63 = n18((n26[n62 >> 1u] >> ((n62 & 1u) << 4u)) & 0xffffu);
let n64 = select(n27, n63, n61);
let n65 = select(n64, n57, n51);
let n66 = n7 / n3[1].x;
let n67 = n7 - n66 * n3[1].x - n3[1].y;
let n68 = n66 - n3[0].z;
let n69 = n67 < n3[1].z && n68 < n3[0].w;
let n70 = select(0u, n67 + n68 * n3[1].z, n69);
let n71 = n70 / n3[3].y;
let n72 = n71 / n3[2].w;
let n73 = n72 / n3[2].y;
let n74 = (n70 - n71 * n3[3].y) + (n71 - n72 * n3[2].w) * n3[3].x + (n72 - n73 * n3[2].y) * n3[2].z + n73 * n3[2].x;
let n75 = n18((n19[n74 >> 1u] >> ((n74 & 1u) << 4u)) & 0xffffu);
let n76 = n7 / n3[4].w;
let n77 = n7 - n76 * n3[4].w - n3[5].x;
let n78 = n76 - n3[4].y;
let n79 = n77 < n3[5].y && n78 < n3[4].z;
let n80 = select(0u, n77 + n78 * n3[5].y, n79);
let n81 = n18((n26[n80 >> 1u] >> ((n80 & 1u) << 4u)) & 0xffffu);
let n82 = select(n27, n81, n79);
let n83 = select(n82, n75, n69);
n84[2u * n1] = n85(n29) | (n85(n47) << 16u);
n84[2u * n1 + 1u] = n85(n65) | (n85(n83) << 16u);
}
// 746b7d3be228
const n0: u32 = n1 * n2 * 4u;
// 7559def7b72f
const n0: u32 = n1 / n2;
// 7562d7d9156c
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[4].x);
let n17 = bitcast<f32>(n5[4].y);
let n18 = n19(n16, n17);
let n20 = bitcast<f32>(n5[4].z);
let n21 = (n18 * n20);
let n22 = (n21 * n3.x);
let n23 = (n21 * n3.y);
let n24 = (n21 * n3.z);
let n25 = (n21 * n3.w);
n26[n7] = vec4<f32>(n22, n23, n24, n25);
}
// 768c6120f9fd
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
n34[n3] = n15;
workgroupBarrier();
for (var n35 = 128u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
let n37 = n38(n36, n13);
let n39 = (n37 + n14);
let n40 = inverseSqrt(n39);
let n41 = n42[n19];
let n43 = n41.x;
let n44 = n41.y;
let n45 = n41.z;
let n46 = n41.w;
let n47 = (n43 * n40);
let n48 = n49[n19];
let n50 = n48.x;
let n51 = n48.y;
let n52 = n48.z;
let n53 = n48.w;
let n54 = (n47 * n50);
let n55 = (n44 * n40);
let n56 = (n55 * n51);
let n57 = (n45 * n40);
let n58 = (n57 * n52);
let n59 = (n46 * n40);
let n60 = (n59 * n53);
if (n9 && n17) {
n61[n19] = vec4<f32>(n54, n56, n58, n60);
}
}
// 770a2eb0186b
fn n0(x: f32, n1: i32) -> f32 {
let n2 = clamp(x, -105.0, 90.0);
let n3 = round(n2 * 1.44269504);
let n4 = n5(1.0 + n6(n7(n2, n3)), i32(n3) + n1);
return select(n4, x, n8(x));
}
// 771204cbcaed
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 1u * 16u;
let n18 = n16 % 1u * 32u;
let n19 = (n2 / 32u);
let n20 = n2 % 32u;
let n21 = n19 * n22 + n20;
let n23 = ((((n2 / 8u) & 1u) << 2u) | (((n2 / 8u) & 6u) >> 1u) | ((n2 / 8u) & ~7u));
let n24 = n2 % 8u;
let n25 = n23 * n26 + n24;
let n27 = ((n7.n28 + n23 * n29[1].w + n6) >> 2u) + n24;
let n30 = (16u * n29[1].w) >> 2u;
var n31 = n32();
var n33 = n32();
var n34 = vec4<n35>();
var n36 = vec4<n35>();
var n37 = vec4<n35>();
var n38 = vec4<n35>();
var n39 = vec4<n35>();
var n40 = vec4<n35>();
var n41 = vec4<n35>();
var n42 = vec4<n35>();
var n43 = vec4<n35>();
var n44 = vec4<n35>();
var n45 = vec4<n35>();
var n46 = vec4<n35>();
{
let n47 = select(0u, 0u, 0u < n9);
n34 = n48(n7, n5 + n19 + 0u * 4u, n47 + 4u * n20);
n36 = n48(n7, n5 + n19 + 1u * 4u, n47 + 4u * n20);
n37 = n48(n7, n5 + n19 + 2u * 4u, n47 + 4u * n20);
n38 = n48(n7, n5 + n19 + 3u * 4u, n47 + 4u * n20);
let n49 = n27 + n47 * (n29[1].w >> 2u);
n39 = n50[n49 + 0u * n30];
n40 = n50[n49 + 1u * n30];
n41 = n50[n49 + 2u * n30];
n42 = n50[n49 + 3u * n30];
n43 = n50[n49 + 4u * n30];
n44 = n50[n49 + 5u * n30];
n45 = n50[n49 + 6u * n30];
n46 = n50[n49 + 7u * n30];
}
var n51 = vec4<n35>();
var n52 = vec4<n35>();
var n53 = vec4<n35>();
var n54 = vec4<n35>();
var n55 = vec4<n35>();
var n56 = vec4<n35>();
var n57 = vec4<n35>();
var n58 = vec4<n35>();
var n59 = vec4<n35>();
var n60 = vec4<n35>();
var n61 = vec4<n35>();
var n62 = vec4<n35>();
{
let n47 = select(0u, 128u, 128u < n9);
n51 = n48(n7, n5 + n19 + 0u * 4u, n47 + 4u * n20);
n52 = n48(n7, n5 + n19 + 1u * 4u, n47 + 4u * n20);
n53 = n48(n7, n5 + n19 + 2u * 4u, n47 + 4u * n20);
n54 = n48(n7, n5 + n19 + 3u * 4u, n47 + 4u * n20);
let n49 = n27 + n47 * (n29[1].w >> 2u);
n55 = n50[n49 + 0u * n30];
n56 = n50[n49 + 1u * n30];
n57 = n50[n49 + 2u * n30];
n58 = n50[n49 + 3u * n30];
n59 = n50[n49 + 4u * n30];
n60 = n50[n49 + 5u * n30];
n61 = n50[n49 + 6u * n30];
n62 = n50[n49 + 7u * n30];
}
for (var n63 = 0u; n63 < n9; n63 += 2u * n64) {
{
n65[n21 + (0u * 4u) * n22] = n34;
n65[n21 + (1u * 4u) * n22] = n36;
n65[n21 + (2u * 4u) * n22] = n37;
n65[n21 + (3u * 4u) * n22] = n38;
n66[n25 + (0u * 16u) * n26] = n39;
n66[n25 + (1u * 16u) * n26] = n40;
n66[n25 + (2u * 16u) * n26] = n41;
n66[n25 + (3u * 16u) * n26] = n42;
n66[n25 + (4u * 16u) * n26] = n43;
n66[n25 + (5u * 16u) * n26] = n44;
n66[n25 + (6u * 16u) * n26] = n45;
n66[n25 + (7u * 16u) * n26] = n46;
workgroupBarrier();
let n67 = n63 + 2u * n64;
let n47 = select(0u, n67, n67 < n9);
n34 = n48(n7, n5 + n19 + 0u * 4u, n47 + 4u * n20);
n36 = n48(n7, n5 + n19 + 1u * 4u, n47 + 4u * n20);
n37 = n48(n7, n5 + n19 + 2u * 4u, n47 + 4u * n20);
n38 = n48(n7, n5 + n19 + 3u * 4u, n47 + 4u * n20);
let n49 = n27 + n47 * (n29[1].w >> 2u);
n39 = n50[n49 + 0u * n30];
n40 = n50[n49 + 1u * n30];
n41 = n50[n49 + 2u * n30];
n42 = n50[n49 + 3u * n30];
n43 = n50[n49 + 4u * n30];
n44 = n50[n49 + 5u * n30];
n45 = n50[n49 + 6u * n30];
n46 = n50[n49 + 7u * n30];
{
let n68 = n69(n17 + 0u, n14 * 32u + 0u);
let n70 = n71(n18 + 0u, n14 * 32u + 0u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 0u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
{
let n68 = n69(n17 + 0u, n14 * 32u + 16u);
let n70 = n71(n18 + 0u, n14 * 32u + 16u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 16u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
workgroupBarrier();
}
for (var n73 = n63 + n64 < n9; n73; n73 = false) {
n65[n21 + (0u * 4u) * n22] = n51;
n65[n21 + (1u * 4u) * n22] = n52;
n65[n21 + (2u * 4u) * n22] = n53;
n65[n21 + (3u * 4u) * n22] = n54;
n66[n25 + (0u * 16u) * n26] = n55;
n66[n25 + (1u * 16u) * n26] = n56;
n66[n25 + (2u * 16u) * n26] = n57;
n66[n25 + (3u * 16u) * n26] = n58;
n66[n25 + (4u * 16u) * n26] = n59;
n66[n25 + (5u * 16u) * n26] = n60;
n66[n25 + (6u * 16u) * n26] = n61;
n66[n25 + (7u * 16u) * n26] = n62;
workgroupBarrier();
let n67 = n63 + 3u * n64;
let n47 = select(0u, n67, n67 < n9);
n51 = n48(n7, n5 + n19 + 0u * 4u, n47 + 4u * n20);
n52 = n48(n7, n5 + n19 + 1u * 4u, n47 + 4u * n20);
n53 = n48(n7, n5 + n19 + 2u * 4u, n47 + 4u * n20);
n54 = n48(n7, n5 + n19 + 3u * 4u, n47 + 4u * n20);
let n49 = n27 + n47 * (n29[1].w >> 2u);
n55 = n50[n49 + 0u * n30];
n56 = n50[n49 + 1u * n30];
n57 = n50[n49 + 2u * n30];
n58 = n50[n49 + 3u * n30];
n59 = n50[n49 + 4u * n30];
n60 = n50[n49 + 5u * n30];
n61 = n50[n49 + 6u * n30];
n62 = n50[n49 + 7u * n30];
{
let n68 = n69(n17 + 0u, n14 * 32u + 0u);
let n70 = n71(n18 + 0u, n14 * 32u + 0u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 0u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
{
let n68 = n69(n17 + 0u, n14 * 32u + 16u);
let n70 = n71(n18 + 0u, n14 * 32u + 16u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 16u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
workgroupBarrier();
}
}
let n74 = n11 * n75 * n76;
let n77 = n74 + 0u;
coopStoreT(n31, &n78[n77], n76);
workgroupBarrier();
if (n14 == 0u) {
n79(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n74, n13);
}
workgroupBarrier();
coopStoreT(n33, &n78[n77], n76);
workgroupBarrier();
if (n14 == 0u) {
n79(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n74, n13);
}
workgroupBarrier();
}
// 78f8622be2c0
fn n0(n1: u32) {
let n2 = n3[1].z - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[2].z);
let n15 = (n10 + n14);
let n16 = (n11 + n14);
let n17 = (n12 + n14);
let n18 = (n13 + n14);
n19[n1] = vec4<f32>(n15, n16, n17, n18);
}
// 78fbefa9e6ea
@group(0) @binding(15) var<storage, read_write> n0: array<vec4<f32>>;
// 7907ad342165
fn n0(x: f32) -> f32 {
let n1 = abs(x);
let z = n1 * n1;
var n2 = fma(7.85385782e-5, z, -0.000801019254);
n2 = fma(n2, z, 0.00518832775);
n2 = fma(n2, z, -0.026853811);
n2 = fma(n2, z, 0.112835854);
n2 = fma(n2, z, -0.37612626);
n2 = fma(n2, z, 0.128379166);
let n3 = min(n1, 4.0);
var n4 = fma(-1.36592389e-5, n3, 0.0003474564);
n4 = fma(n4, n3, -0.00374426995);
n4 = fma(n4, n3, 0.0239810571);
n4 = fma(n4, n3, -0.10649579);
n4 = fma(n4, n3, -0.634991646);
n4 = fma(n4, n3, -1.12868857);
let n5 = select(fma(n1, n2, n1), n1 * 1.12837917, n1 < 1e-20);
let n6 = select(1.0 - n7(n4 * n3), n5, n1 < 1.0);
return select(n8(n6, x), x, n9(x));
}
// 7ac84b0da771
@group(0) @binding(2) var<storage, read_write> n0: array<vec4<f16>>;
// 7b0a230850bc
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
var n14: f32 = f32(0);
for (var n15 = n7; n15 < n11; n15 += 32u) {
let n16 = n12 + n15;
let n17 = 4u * n16 + 0u;
let n18 = 4u * n15 + 0u;
let n19 = 4u * n16 + 1u;
let n20 = 4u * n15 + 1u;
let n21 = 4u * n16 + 2u;
let n22 = 4u * n15 + 2u;
let n23 = 4u * n16 + 3u;
let n24 = 4u * n15 + 3u;
let n25 = n26[n16];
let n27 = n25.x;
let n28 = n25.y;
let n29 = n25.z;
let n30 = n25.w;
let n31 = (n27 * n13);
n14 = (n14 + n31);
let n32 = (n28 * n13);
n14 = (n14 + n32);
let n33 = (n29 * n13);
n14 = (n14 + n33);
let n34 = (n30 * n13);
n14 = (n14 + n34);
if (n9) {
n35[n16] = vec4<f32>(n31, n32, n33, n34);
}
}
n36[n3] = n14;
workgroupBarrier();
for (var n37 = 16u; n37 > 0u; n37 >>= 1u) {
if (n7 < n37) { n36[n3] = (n36[n3] + n36[n3 + n37]); }
workgroupBarrier();
}
let n38 = n36[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n39[n10] = n38;
}
}
// 7bc292491d1b
@group(0) @binding(7) var<storage, read_write> n0: array<vec2<u32>>;
// 7c6faf7370a7
fn n0(n1: u32, n2: vec4<n3>) {
if (n4 < n5 * n6 && n1 >= n4) { return; }
let n7 = vec4<n8>(n2);
if (n9) {
let n10 = n1 / (n11 / 4u);
let n12 = 4u * (n1 % (n11 / 4u));
for (var n13 = 0u; n13 < 4u; n13++) { n14[(n12 + n13) * n15 + n10 / 4u][n10 % 4u] = n7[n13]; }
} else { n14[n1 / n16 * n15 + n1 % n16] = n7; }
}
// 7c80a7e5d8c7
@compute @workgroup_size(n0, n1)
fn n2(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) n3: vec3<u32>,
@builtin(local_invocation_index) n4: u32) {
let n5 = group.z * n6.n7 + group.y;
if (n5 >= n6.n8) { return; }
let n9 = group.x * n10;
let n11 = n5 / n6.n12;
var n13: n14;
var n15: n14;
let n16 = max(i32(n9) - n17(n11) - n6.n18, 0);
let n19 = min(i32(n9 + n10 - 1u) - n17(n11) + n6.n20, i32(n6.n21) - 1);
let n22 = vec2<u32>(n23(n11, n5 % n6.n12), n24(n11, n5 % n6.n12));
for (var n25 = 0u; n25 < n6.group; n25++) {
let n26 = (n5 % n6.n12) * n6.group + n25;
let n27 = n28(n3.x, n3.y, n4, n9, n29(n11), n22, n11, n6.n21,
vec2<u32>(n30(n11, n26), n31(n11, n26)));
for (var n32 = n16 / i32(n33) * i32(n33); n32 <= n19; n32 += i32(n33)) {
let n34 = u32(n32);
var n35 = vec4<f32>();
var n36 = vec4<f32>();
for (var n37 = 0u; n37 < 4u; n37++) {
let n38 = n34 + 4u * n3.x + n37;
if (n38 < n6.n21) {
let n39 = n40((n11 * n6.n41 + n26) * n6.n21 + n38);
n35[n37] = n39.x;
n36[n37] = n39.y;
}
}
var n42 = n43(0u, n27, n34);
for (var n44 = 0u; n44 < n45 * 4u; n44++) {
let n46 = n9 + 4u * ((n44 / 4u) * n1 + n3.y) + n44 % 4u;
for (var n37 = 0u; n37 < 4u; n37++) {
let n47 = n48(n42[n44][n37], n11, n26, n34 + 4u * n3.x + n37, n46);
n42[n44][n37] = select(n49(n47 - n35[n37]), 0.0, n47 == n50);
}
}
n51(n27, n42);
n52(0u, n27, n34, &n15);
let w = n43(1u, n27, n34);
for (var n44 = 0u; n44 < n45 * 4u; n44++) { n42[n44] *= w[n44] - n36; }
n51(n27, n42);
n52(1u, n27, n34, &n13);
}
}
for (var n44 = 0u; n44 < n45 * 4u; n44++) {
let n46 = n9 + 4u * ((n44 / 4u) * n1 + n3.y) + n44 % 4u;
if (n46 >= n6.n53) { continue; }
for (var n37 = 0u; n37 < n54; n37++) {
let n55 = n37 * n0 + n3.x;
if (n55 >= n56) { continue; }
let n32 = n57(n11, n5 % n6.n12, n46) * n56 + n55;
n58(n32, n13[n44][n37] * n6.n59);
n60(n32, n15[n44][n37]);
}
}
}
// 7cdc6fbfa2d1
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[10].z);
let n17 = n18(n3.x, n16);
let n19 = n18(n3.y, n16);
let n20 = n18(n3.z, n16);
let n21 = n18(n3.w, n16);
n22[n7] = vec4<f32>(n17, n19, n20, n21);
}
// 7d082120c434
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
switch n6 {
case 0u: {
return n7(n1, n3, n4);
}
default: {
return n8(n1, n3, n4);
}
}
}
// 7d658a5c8617
@group(0) @binding(4) var<storage, read> n0: array<u32>;
// 7d6de719e8c6
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[2u * n7];
let n18 = n17[2u * n7 + 1u];
let n19 = n20((n16 >> 0u) & 0xffffu);
let n21 = n20((n16 >> 16u) & 0xffffu);
let n22 = n20((n18 >> 0u) & 0xffffu);
let n23 = n20((n18 >> 16u) & 0xffffu);
let n24 = bitcast<f32>(n5[5].z);
let n25 = (n3.x * n24);
let n26 = (n19 * n25);
let n27 = bitcast<f32>(n5[5].w);
let n28 = (n26 * n27);
let n29 = bitcast<f32>(n5[6].x);
let n30 = (n3.x * n29);
let n31 = (n30 * n30);
let n32 = (-n31);
let n33 = n34(n32);
let n35 = (n28 * n33);
let n36 = (n35 * n29);
let n37 = n38(n30);
let n39 = bitcast<f32>(n5[6].y);
let n40 = (n37 + n39);
let n41 = (n19 * n40);
let n42 = (n41 * n24);
let n43 = (n36 + n42);
let n44 = (n3.y * n24);
let n45 = (n21 * n44);
let n46 = (n45 * n27);
let n47 = (n3.y * n29);
let n48 = (n47 * n47);
let n49 = (-n48);
let n50 = n34(n49);
let n51 = (n46 * n50);
let n52 = (n51 * n29);
let n53 = n38(n47);
let n54 = (n53 + n39);
let n55 = (n21 * n54);
let n56 = (n55 * n24);
let n57 = (n52 + n56);
let n58 = (n3.z * n24);
let n59 = (n22 * n58);
let n60 = (n59 * n27);
let n61 = (n3.z * n29);
let n62 = (n61 * n61);
let n63 = (-n62);
let n64 = n34(n63);
let n65 = (n60 * n64);
let n66 = (n65 * n29);
let n67 = n38(n61);
let n68 = (n67 + n39);
let n69 = (n22 * n68);
let n70 = (n69 * n24);
let n71 = (n66 + n70);
let n72 = (n3.w * n24);
let n73 = (n23 * n72);
let n74 = (n73 * n27);
let n75 = (n3.w * n29);
let n76 = (n75 * n75);
let n77 = (-n76);
let n78 = n34(n77);
let n79 = (n74 * n78);
let n80 = (n79 * n29);
let n81 = n38(n75);
let n82 = (n81 + n39);
let n83 = (n23 * n82);
let n84 = (n83 * n24);
let n85 = (n80 + n84);
let n86 = (n25 * n40);
let n87 = (n44 * n54);
let n88 = (n58 * n68);
let n89 = (n72 * n82);
n90[2u * n7] = n91(n43) | (n91(n57) << 16u);
n90[2u * n7 + 1u] = n91(n71) | (n91(n85) << 16u);
n92[2u * n7] = n91(n86) | (n91(n87) << 16u);
n92[2u * n7 + 1u] = n91(n88) | (n91(n89) << 16u);
}
// 7daf814b938d
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[2].x + n4) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 7dbe8656bdb9
@group(0) @binding(1) var<storage, read> n0: array<i32>;
// 7ec1c608c0d3
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[3].x) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[3].x + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[n7] = vec4<f16>(vec4<f32>(n3.x, n3.y, n3.z, n3.w));
}
// 7f897eef6d13
fn n0(x: f32) -> bool {
return (bitcast<u32>(x) & 0x7fffffffu) - 1u >= 0x7f800000u;
}
// 801ace30b8e0
@group(0) @binding(1) var<storage, read_write> n0: array<vec4<f16>>;
// 80654be6052c
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 16u;
let n8 = (n1.y * n2.x + n1.x) * 8u + n3 / 16u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
n32[n3] = n13;
workgroupBarrier();
for (var n33 = 8u; n33 > 0u; n33 >>= 1u) {
if (n7 < n33) { n32[n3] = (n32[n3] + n32[n3 + n33]); }
workgroupBarrier();
}
let n34 = n32[n3 - n7];
workgroupBarrier();
let n35 = n36[n17];
let n37 = n35.x;
let n38 = n35.y;
let n39 = n35.z;
let n40 = n35.w;
let n41 = n42[n17];
let n43 = n41.x;
let n44 = n41.y;
let n45 = n41.z;
let n46 = n41.w;
let n47 = (n43 - n34);
let n48 = (n37 * n47);
let n49 = (n44 - n34);
let n50 = (n38 * n49);
let n51 = (n45 - n34);
let n52 = (n39 * n51);
let n53 = (n46 - n34);
let n54 = (n40 * n53);
if (n9 && n15) {
n55[n17] = vec4<f32>(n48, n50, n52, n54);
}
}
// 8095dc1f071e
@group(0) @binding(4) var<storage, read> n0: array<f16>;
// 80d335b42415
fn n0(n1: f32) -> f32 {
var n2 = fma(0.067465499, n1, -0.116796404);
n2 = fma(n2, n1, 0.118903391);
n2 = fma(n2, n1, -0.124051385);
n2 = fma(n2, n1, 0.14219223);
n2 = fma(n2, n1, -0.166680068);
n2 = fma(n2, n1, 0.200021341);
n2 = fma(n2, n1, -0.250000089);
n2 = fma(n2, n1, 0.333333135);
let n3 = n1 * n1;
return fma(n3, fma(n1, n2, -0.5), n1);
}
// 8136184d4a57
const n0: u32 = 8u;
// 816b2df64ee5
@group(0) @binding(2) var<storage, read_write> n0: array<u32>;
// 82659d9ff72a
fn n0(n1: f32) -> vec2<f32> {
var n2 = array<u32, 9>(0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
0xfe5163abu, 0xdebbc561u);
let n3 = bitcast<u32>(n1);
let n4 = (n3 & 0x007fffffu) | 0x00800000u;
let n5 = min(n3 >> 23u, 254u) - 120u;
let n6 = n5 >> 5u;
let n7 = n5 & 31u;
var x = vec3<u32>();
for (var n8 = 0u; n8 < 3u; n8++) {
x[n8] = (n2[n6 + n8] << n7) | ((n2[n6 + n8 + 1u] >> 1u) >> (31u - n7));
}
let n9 = n10(n4, x.z);
let n11 = n12(n10(n4, x.y), vec2<u32>(n9.y, 0u));
let n13 = vec2<u32>(n11.x, n4 * x.x + n11.y);
let n14 = (n13.y >> 30u) + ((n13.y >> 29u) & 1u);
let n15 = vec2<u32>(n13.x, n13.y - (n14 << 30u));
return vec2<f32>(n16(n15) * 3.40612158e-19, f32(n14 & 3u));
}
// 8269b9d884eb
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = vec4<f32>(n17[n7]);
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = bitcast<f32>(n5[5].z);
let n23 = (n3.x * n22);
let n24 = (n18 * n23);
let n25 = bitcast<f32>(n5[5].w);
let n26 = (n24 * n25);
let n27 = bitcast<f32>(n5[6].x);
let n28 = (n3.x * n27);
let n29 = (n28 * n28);
let n30 = (-n29);
let n31 = n32(n30);
let n33 = (n26 * n31);
let n34 = (n33 * n27);
let n35 = n36(n28);
let n37 = bitcast<f32>(n5[6].y);
let n38 = (n35 + n37);
let n39 = (n18 * n38);
let n40 = (n39 * n22);
let n41 = (n34 + n40);
let n42 = (n3.y * n22);
let n43 = (n19 * n42);
let n44 = (n43 * n25);
let n45 = (n3.y * n27);
let n46 = (n45 * n45);
let n47 = (-n46);
let n48 = n32(n47);
let n49 = (n44 * n48);
let n50 = (n49 * n27);
let n51 = n36(n45);
let n52 = (n51 + n37);
let n53 = (n19 * n52);
let n54 = (n53 * n22);
let n55 = (n50 + n54);
let n56 = (n3.z * n22);
let n57 = (n20 * n56);
let n58 = (n57 * n25);
let n59 = (n3.z * n27);
let n60 = (n59 * n59);
let n61 = (-n60);
let n62 = n32(n61);
let n63 = (n58 * n62);
let n64 = (n63 * n27);
let n65 = n36(n59);
let n66 = (n65 + n37);
let n67 = (n20 * n66);
let n68 = (n67 * n22);
let n69 = (n64 + n68);
let n70 = (n3.w * n22);
let n71 = (n21 * n70);
let n72 = (n71 * n25);
let n73 = (n3.w * n27);
let n74 = (n73 * n73);
let n75 = (-n74);
let n76 = n32(n75);
let n77 = (n72 * n76);
let n78 = (n77 * n27);
let n79 = n36(n73);
let n80 = (n79 + n37);
let n81 = (n21 * n80);
let n82 = (n81 * n22);
let n83 = (n78 + n82);
let n84 = (n23 * n38);
let n85 = (n42 * n52);
let n86 = (n56 * n66);
let n87 = (n70 * n80);
n88[n7] = vec4<f16>(vec4<f32>(n41, n55, n69, n83));
n89[n7] = vec4<f16>(vec4<f32>(n84, n85, n86, n87));
}
// 82d02f5ab890
@group(0) @binding(6) var<uniform> n0: array<vec4<u32>, 9>;
// 82d5767e8373
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[8].z;
n2.n6 = n5[8].w;
n2.n7 = n5[9].y;
n2.n4 += (n3 % n5[3].z) * n5[4].x;
n2.n6 += (n3 % n5[3].z) * n5[4].y;
n2.n7 += (n3 % n5[3].z) * n5[4].z;
n3 = n3 / n5[3].z;
n2.n4 += (n3 % n5[2].y) * n5[2].w;
n2.n6 += (n3 % n5[2].y) * n5[3].x;
n2.n7 += (n3 % n5[2].y) * n5[3].y;
n3 = n3 / n5[2].y;
n2.n4 += (n3 % n5[1].x) * n5[1].z;
n2.n6 += (n3 % n5[1].x) * n5[1].w;
n2.n7 += (n3 % n5[1].x) * n5[2].x;
n3 = n3 / n5[1].x;
}
{ var n3 = z;
n2.n8 = n5[10].w;
n2.n8 += (n3 % n5[9].w) * n5[10].x;
n3 = n3 / n5[9].w;
}
return n2;
}
// 835fbf968689
@group(0) @binding(1) var<storage, read> n0: array<vec4<i32>>;
// 84274df36364
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n39[n3 / 32u] = n38; }
workgroupBarrier();
let n40 = (n3 - n7) / 32u;
var n41 = n39[n40];
for (var n42 = 1u; n42 < 8u; n42++) { n41 = (n41 + n39[n40 + n42]); }
let n43 = n41;
workgroupBarrier();
let n44 = n45(n43, n13);
let n46 = (n44 + n14);
let n47 = inverseSqrt(n46);
let n48 = (n30 * n47);
let n49 = n50[n19];
let n51 = n49.x;
let n52 = n49.y;
let n53 = n49.z;
let n54 = n49.w;
let n55 = (n48 * n51);
let n56 = (n31 * n47);
let n57 = (n56 * n52);
let n58 = (n32 * n47);
let n59 = (n58 * n53);
let n60 = (n33 * n47);
let n61 = (n60 * n54);
if (n9 && n17) {
n62[n19] = vec4<f32>(n55, n57, n59, n61);
}
}
// 8458f8409f20
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[4].w);
let n17 = (n3.x * n16);
let n18 = bitcast<f32>(n5[5].x);
let n19 = (n3.x * n18);
let n20 = n21(n19);
let n22 = bitcast<f32>(n5[5].y);
let n23 = (n20 + n22);
let n24 = (n17 * n23);
let n25 = (n3.y * n16);
let n26 = (n3.y * n18);
let n27 = n21(n26);
let n28 = (n27 + n22);
let n29 = (n25 * n28);
let n30 = (n3.z * n16);
let n31 = (n3.z * n18);
let n32 = n21(n31);
let n33 = (n32 + n22);
let n34 = (n30 * n33);
let n35 = (n3.w * n16);
let n36 = (n3.w * n18);
let n37 = n21(n36);
let n38 = (n37 + n22);
let n39 = (n35 * n38);
n40[n7] = vec4<f16>(vec4<f32>(n24, n29, n34, n39));
}
// 851bfccbda31
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 85e54837b4c7
@group(0) @binding(1) var<storage, read_write> n0: array<u32>;
// 8637b54f03f5
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
let n9 = n10(n7);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// 867d3e3a9284
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[n7] = vec4<f16>(vec4<f32>(n3.x, n3.y, n3.z, n3.w));
}
// 86e1123562a2
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].y;
let n9 = n8 / n3[0].w;
let n10 = (n4 - n8 * n3[1].y) + (n8 - n9 * n3[0].w) * n3[1].x + n9 * n3[0].z + n3[1].w;
let n11 = n10 / n3[2].w;
let n12 = n10 - n11 * n3[2].w - n3[3].x;
let n13 = n11 - n3[2].y;
let n14 = n12 < n3[3].y && n13 < n3[2].z;
let n15 = select(0u, n12 + n13 * n3[3].y, n14);
let n16 = n15 / n3[5].x;
let n17 = n16 / n3[4].z;
let n18 = n17 / n3[4].x;
let n19 = (n15 - n16 * n3[5].x) + (n16 - n17 * n3[4].z) * n3[4].w + (n17 - n18 * n3[4].x) * n3[4].y + n18 * n3[3].w;
let n20 = f32(n21[n19]);
let n22 = n10 / n3[6].z;
let n23 = n10 - n22 * n3[6].z - n3[6].w;
let n24 = n22 - n3[6].x;
let n25 = n23 < n3[7].x && n24 < n3[6].y;
let n26 = select(0u, n23 + n24 * n3[7].x, n25);
let n27 = n26 / n3[8].w;
let n28 = n27 / n3[8].y;
let n29 = n28 / n3[7].w;
let n30 = (n26 - n27 * n3[8].w) + (n27 - n28 * n3[8].y) * n3[8].z + (n28 - n29 * n3[7].w) * n3[8].x + n29 * n3[7].z;
let n31 = f32(n32[n30]);
let n33 = bitcast<f32>(n3[21].x);
let n34 = select(n33, n31, n25);
let n35 = select(n34, n20, n14);
let n36 = n35;
let n37 = (n10 % n3[10].w);
let n38 = n39[n37];
let n40 = (n36 * n38);
let n41 = n4 / n3[12].y;
let n42 = n4 - n41 * n3[12].y - n3[12].z;
let n43 = n41 - n3[11].w;
let n44 = n42 < n3[12].w && n43 < n3[12].x;
let n45 = select(0u, n42 + n43 * n3[12].w, n44);
let n46 = n45 / n3[14].z;
let n47 = n46 / n3[14].x;
let n48 = n47 / n3[13].z;
let n49 = (n45 - n46 * n3[14].z) + (n46 - n47 * n3[14].x) * n3[14].y + (n47 - n48 * n3[13].z) * n3[13].w + n48 * n3[13].y;
let n50 = f32(n21[n49]);
let n51 = n4 / n3[16].x;
let n52 = n4 - n51 * n3[16].x - n3[16].y;
let n53 = n51 - n3[15].z;
let n54 = n52 < n3[16].z && n53 < n3[15].w;
let n55 = select(0u, n52 + n53 * n3[16].z, n54);
let n56 = n55 / n3[18].y;
let n57 = n56 / n3[17].w;
let n58 = n57 / n3[17].y;
let n59 = (n55 - n56 * n3[18].y) + (n56 - n57 * n3[17].w) * n3[18].x + (n57 - n58 * n3[17].y) * n3[17].z + n58 * n3[17].x;
let n60 = f32(n32[n59]);
let n61 = select(n33, n60, n54);
let n62 = select(n61, n50, n44);
let n63 = n62;
let n64 = (n4 % n3[20].y);
let n65 = n66[n64];
let n67 = (n63 * n65);
let n68 = (n40 + n67);
let n69 = n68;
let n70 = n5 / n3[1].y;
let n71 = n70 / n3[0].w;
let n72 = (n5 - n70 * n3[1].y) + (n70 - n71 * n3[0].w) * n3[1].x + n71 * n3[0].z + n3[1].w;
let n73 = n72 / n3[2].w;
let n74 = n72 - n73 * n3[2].w - n3[3].x;
let n75 = n73 - n3[2].y;
let n76 = n74 < n3[3].y && n75 < n3[2].z;
let n77 = select(0u, n74 + n75 * n3[3].y, n76);
let n78 = n77 / n3[5].x;
let n79 = n78 / n3[4].z;
let n80 = n79 / n3[4].x;
let n81 = (n77 - n78 * n3[5].x) + (n78 - n79 * n3[4].z) * n3[4].w + (n79 - n80 * n3[4].x) * n3[4].y + n80 * n3[3].w;
let n82 = f32(n21[n81]);
let n83 = n72 / n3[6].z;
let n84 = n72 - n83 * n3[6].z - n3[6].w;
let n85 = n83 - n3[6].x;
let n86 = n84 < n3[7].x && n85 < n3[6].y;
let n87 = select(0u, n84 + n85 * n3[7].x, n86);
let n88 = n87 / n3[8].w;
let n89 = n88 / n3[8].y;
let n90 = n89 / n3[7].w;
let n91 = (n87 - n88 * n3[8].w) + (n88 - n89 * n3[8].y) * n3[8].z + (n89 - n90 * n3[7].w) * n3[8].x + n90 * n3[7].z;
let n92 = f32(n32[n91]);
let n93 = select(n33, n92, n86);
let n94 = select(n93, n82, n76);
let n95 = n94;
let n96 = (n72 % n3[10].w);
let n97 = n39[n96];
let n98 = (n95 * n97);
let n99 = n5 / n3[12].y;
let n100 = n5 - n99 * n3[12].y - n3[12].z;
let n101 = n99 - n3[11].w;
let n102 = n100 < n3[12].w && n101 < n3[12].x;
let n103 = select(0u, n100 + n101 * n3[12].w, n102);
let n104 = n103 / n3[14].z;
let n105 = n104 / n3[14].x;
let n106 = n105 / n3[13].z;
let n107 = (n103 - n104 * n3[14].z) + (n104 - n105 * n3[14].x) * n3[14].y + (n105 - n106 * n3[13].z) * n3[13].w + n106 * n3[13].y;
let n108 = f32(n21[n107]);
let n109 = n5 / n3[16].x;
let n110 = n5 - n109 * n3[16].x - n3[16].y;
let n111 = n109 - n3[15].z;
let n112 = n110 < n3[16].z && n111 < n3[15].w;
let n113 = select(0u, n110 + n111 * n3[16].z, n112);
let n114 = n113 / n3[18].y;
let n115 = n114 / n3[17].w;
let n116 = n115 / n3[17].y;
let n117 = (n113 - n114 * n3[18].y) + (n114 - n115 * n3[17].w) * n3[18].x + (n115 - n116 * n3[17].y) * n3[17].z + n116 * n3[17].x;
let n118 = f32(n32[n117]);
let n119 = select(n33, n118, n112);
let n120 = select(n119, n108, n102);
let n121 = n120;
let n122 = (n5 % n3[20].y);
let n123 = n66[n122];
let n124 = (n121 * n123);
let n125 = (n98 + n124);
let n126 = n125;
let n127 = n6 / n3[1].y;
let n128 = n127 / n3[0].w;
let n129 = (n6 - n127 * n3[1].y) + (n127 - n128 * n3[0].w) * n3[1].x + n128 * n3[0].z + n3[1].w;
let n130 = n129 / n3[2].w;
let n131 = n129 - n130 * n3[2].w - n3[3].x;
let n132 = n130 - n3[2].y;
let n133 = n131 < n3[3].y && n132 < n3[2].z;
let n134 = select(0u, n131 + n132 * n3[3].y, n133);
let n135 = n134 / n3[5].x;
let n136 = n135 / n3[4].z;
let n137 = n136 / n3[4].x;
let n138 = (n134 - n135 * n3[5].x) + (n135 - n136 * n3[4].z) * n3[4].w + (n136 - n137 * n3[4].x) * n3[4].y + n137 * n3[3].w;
let n139 = f32(n21[n138]);
let n140 = n129 / n3[6].z;
let n141 = n129 - n140 * n3[6].z - n3[6].w;
let n142 = n140 - n3[6].x;
let n143 = n141 < n3[7].x && n142 < n3[6].y;
let n144 = select(0u, n141 + n142 * n3[7].x, n143);
let n145 = n144 / n3[8].w;
let n146 = n145 / n3[8].y;
let n147 = n146 / n3[7].w;
let n148 = (n144 - n145 * n3[8].w) + (n145 - n146 * n3[8].y) * n3[8].z + (n146 - n147 * n3[7].w) * n3[8].x + n147 * n3[7].z;
let n149 = f32(n32[n148]);
let n150 = select(n33, n149, n143);
let n151 = select(n150, n139, n133);
let n152 = n151;
let n153 = (n129 % n3[10].w);
let n154 = n39[n153];
let n155 = (n152 * n154);
let n156 = n6 / n3[12].y;
let n157 = n6 - n156 * n3[12].y - n3[12].z;
let n158 = n156 - n3[11].w;
let n159 = n157 < n3[12].w && n158 < n3[12].x;
let n160 = select(0u, n157 + n158 * n3[12].w, n159);
let n161 = n160 / n3[14].z;
let n162 = n161 / n3[14].x;
let n163 = n162 / n3[13].z;
let n164 = (n160 - n161 * n3[14].z) + (n161 - n162 * n3[14].x) * n3[14].y + (n162 - n163 * n3[13].z) * n3[13].w + n163 * n3[13].y;
let n165 = f32(n21[n164]);
let n166 = n6 / n3[16].x;
let n167 = n6 - n166 * n3[16].x - n3[16].y;
let n168 = n166 - n3[15].z;
let n169 = n167 < n3[16].z && n168 < n3[15].w;
let n170 = select(0u, n167 + n168 * n3[16].z, n169);
let n171 = n170 / n3[18].y;
let n172 = n171 / n3[17].w;
let n173 = n172 / n3[17].y;
let n174 = (n170 - n171 * n3[18].y) + (n171 - n172 * n3[17].w) * n3[18].x + (n172 - n173 * n3[17].y) * n3[17].z + n173 * n3[17].x;
let n175 = f32(n32[n174]);
let n176 = select(n33, n175, n169);
let n177 = select(n176, n165, n159);
let n178 = n177;
let n179 = (n6 % n3[20].y);
let n180 = n66[n179];
let n181 = (n178 * n180);
let n182 = (n155 + n181);
let n183 = n182;
let n184 = n7 / n3[1].y;
let n185 = n184 / n3[0].w;
let n186 = (n7 - n184 * n3[1].y) + (n184 - n185 * n3[0].w) * n3[1].x + n185 * n3[0].z + n3[1].w;
let n187 = n186 / n3[2].w;
let n188 = n186 - n187 * n3[2].w - n3[3].x;
let n189 = n187 - n3[2].y;
let n190 = n188 < n3[3].y && n189 < n3[2].z;
let n191 = select(0u, n188 + n189 * n3[3].y, n190);
let n192 = n191 / n3[5].x;
let n193 = n192 / n3[4].z;
let n194 = n193 / n3[4].x;
let n195 = (n191 - n192 * n3[5].x) + (n192 - n193 * n3[4].z) * n3[4].w + (n193 - n194 * n3[4].x) * n3[4].y + n194 * n3[3].w;
let n196 = f32(n21[n195]);
let n197 = n186 / n3[6].z;
let n198 = n186 - n197 * n3[6].z - n3[6].w;
let n199 = n197 - n3[6].x;
let n200 = n198 < n3[7].x && n199 < n3[6].y;
let n201 = select(0u, n198 + n199 * n3[7].x, n200);
let n202 = n201 / n3[8].w;
let n203 = n202 / n3[8].y;
let n204 = n203 / n3[7].w;
let n205 = (n201 - n202 * n3[8].w) + (n202 - n203 * n3[8].y) * n3[8].z + (n203 - n204 * n3[7].w) * n3[8].x + n204 * n3[7].z;
let n206 = f32(n32[n205]);
let n207 = select(n33, n206, n200);
let n208 = select(n207, n196, n190);
let n209 = n208;
let n210 = (n186 % n3[10].w);
let n211 = n39[n210];
let n212 = (n209 * n211);
let n213 = n7 / n3[12].y;
let n214 = n7 - n213 * n3[12].y - n3[12].z;
let n215 = n213 - n3[11].w;
let n216 = n214 < n3[12].w && n215 < n3[12].x;
let n217 = select(0u, n214 + n215 * n3[12].w, n216);
let n218 = n217 / n3[14].z;
let n219 = n218 / n3[14].x;
let n220 = n219 / n3[13].z;
let n221 = (n217 - n218 * n3[14].z) + (n218 - n219 * n3[14].x) * n3[14].y + (n219 - n220 * n3[13].z) * n3[13].w + n220 * n3[13].y;
let n222 = f32(n21[n221]);
let n223 = n7 / n3[16].x;
let n224 = n7 - n223 * n3[16].x - n3[16].y;
let n225 = n223 - n3[15].z;
let n226 = n224 < n3[16].z && n225 < n3[15].w;
let n227 = select(0u, n224 + n225 * n3[16].z, n226);
let n228 = n227 / n3[18].y;
let n229 = n228 / n3[17].w;
let n230 = n229 / n3[17].y;
let n231 = (n227 - n228 * n3[18].y) + (n228 - n229 * n3[17].w) * n3[18].x + (n229 - n230 * n3[17].y) * n3[17].z + n230 * n3[17].x;
let n232 = f32(n32[n231]);
let n233 = select(n33, n232, n226);
let n234 = select(n233, n222, n216);
let n235 = n234;
let n236 = (n7 % n3[20].y);
let n237 = n66[n236];
let n238 = (n235 * n237);
let n239 = (n212 + n238);
let n240 = n239;
n241[n1] = vec4<f16>(vec4<f32>(n69, n126, n183, n240));
}
// 878417932522
fn n0(group: vec3<u32>) -> vec3<u32> {
var n1 = group;
n2 = 0u;
var n3 = n4[0].z;
let n5 = (n4[0].z + n6 - 1u) / n6;
if (n1.x >= n5) {
n1.x -= n5;
n2 = 1u;
n3 = n4[3].x;
}
n1 *= vec3<u32>(n6, n7, 1u);
return n1;
}
// 87c2af7f87b2
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 11>;
// 88c137a9b90f
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15(n10);
let n16 = (n10 * n14);
let n17 = n15(n11);
let n18 = (n11 * n17);
let n19 = n15(n12);
let n20 = (n12 * n19);
let n21 = n15(n13);
let n22 = (n13 * n21);
n23[n1] = vec4<f32>(n16, n18, n20, n22);
}
// 893341a2374f
fn n0(group: vec3<u32>) -> vec3<u32> {
var n1 = group * vec3<u32>(n2, n3, 1u);
n1.y = min(n1.y, n4[0].y - n3);
n1.x = min(n1.x, n4[0].z - n2);
return n1;
}
// 893ecaf6ab22
@group(0) @binding(0) var<storage, read> n0: array<vec4<f16>>;
// 89a7fab71a7e
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = n7 + 128u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n29[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n15 = (n15 + select(f32(0), n47, n35));
n15 = (n15 + select(f32(0), n48, n35));
n15 = (n15 + select(f32(0), n49, n35));
n15 = (n15 + select(f32(0), n50, n35));
let n51 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n52[n3 / 32u] = n51; }
workgroupBarrier();
let n53 = (n3 - n7) / 32u;
var n54 = n52[n53];
for (var n55 = 1u; n55 < 4u; n55++) { n54 = (n54 + n52[n53 + n55]); }
let n56 = n54;
workgroupBarrier();
let n57 = n58(n56, n13);
var n59: f32 = f32(0);
let n60 = (n30 - n57);
let n61 = (n60 * n60);
n59 = (n59 + select(f32(0), n61, n17));
let n62 = (n31 - n57);
let n63 = (n62 * n62);
n59 = (n59 + select(f32(0), n63, n17));
let n64 = (n32 - n57);
let n65 = (n64 * n64);
n59 = (n59 + select(f32(0), n65, n17));
let n66 = (n33 - n57);
let n67 = (n66 * n66);
n59 = (n59 + select(f32(0), n67, n17));
let n68 = (n47 - n57);
let n69 = (n68 * n68);
n59 = (n59 + select(f32(0), n69, n35));
let n70 = (n48 - n57);
let n71 = (n70 * n70);
n59 = (n59 + select(f32(0), n71, n35));
let n72 = (n49 - n57);
let n73 = (n72 * n72);
n59 = (n59 + select(f32(0), n73, n35));
let n74 = (n50 - n57);
let n75 = (n74 * n74);
n59 = (n59 + select(f32(0), n75, n35));
let n76 = subgroupAdd(n59);
if (n3 % 32u == 0u) { n52[n3 / 32u] = n76; }
workgroupBarrier();
let n77 = (n3 - n7) / 32u;
var n78 = n52[n77];
for (var n55 = 1u; n55 < 4u; n55++) { n78 = (n78 + n52[n77 + n55]); }
let n79 = n78;
workgroupBarrier();
let n80 = n58(n79, n13);
let n81 = (n80 + n14);
let n82 = inverseSqrt(n81);
let n83 = (n60 * n82);
let n84 = n85[n21];
let n86 = (n83 * n84);
let n87 = n88[n21];
let n89 = (n86 + n87);
let n90 = (n62 * n82);
let n91 = n85[n23];
let n92 = (n90 * n91);
let n93 = n88[n23];
let n94 = (n92 + n93);
let n95 = (n64 * n82);
let n96 = n85[n25];
let n97 = (n95 * n96);
let n98 = n88[n25];
let n99 = (n97 + n98);
let n100 = (n66 * n82);
let n101 = n85[n27];
let n102 = (n100 * n101);
let n103 = n88[n27];
let n104 = (n102 + n103);
if (n9 && n17) {
n105[n19] = vec4<f32>(n89, n94, n99, n104);
}
let n106 = (n68 * n82);
let n107 = n85[n39];
let n108 = (n106 * n107);
let n109 = n88[n39];
let n110 = (n108 + n109);
let n111 = (n70 * n82);
let n112 = n85[n41];
let n113 = (n111 * n112);
let n114 = n88[n41];
let n115 = (n113 + n114);
let n116 = (n72 * n82);
let n117 = n85[n43];
let n118 = (n116 * n117);
let n119 = n88[n43];
let n120 = (n118 + n119);
let n121 = (n74 * n82);
let n122 = n85[n45];
let n123 = (n121 * n122);
let n124 = n88[n45];
let n125 = (n123 + n124);
if (n9 && n35) {
n105[n37] = vec4<f32>(n110, n115, n120, n125);
}
}
// 89b519d25549
@group(0) @binding(1) var<storage, read> n0: array<u32>;
// 89b7aa5d08f4
fn n0(n1: u32, n2: vec2<u32>, n3: u32, n4: u32, n5: u32) -> vec4<f32> {
if (n1 == 1u) { return n6(n7(n2.y, n3, n4) + n5); }
return n8(n9(n2.x, n3, n4) + n5);
}
// 89c7f7c0afce
@group(0) @binding(5) var<storage, read_write> n0: array<vec4<f32>>;
// 89da81604e8b
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 3>;
// 89f815f457ca
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 32u;
let n18 = n16 % 2u * 32u;
let n19 = (n2 / 16u);
let n20 = n2 % 16u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (8u * n25[1].x) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
var n31 = n32();
var n33 = n32();
var n34 = n32();
var n35 = n32();
var n36 = vec4<n37>();
var n38 = vec4<n37>();
var n39 = vec4<n37>();
var n40 = vec4<n37>();
var n41 = vec4<n37>();
var n42 = vec4<n37>();
var n43 = vec4<n37>();
var n44 = vec4<n37>();
var n45 = vec4<n37>();
var n46 = vec4<n37>();
var n47 = vec4<n37>();
var n48 = vec4<n37>();
var n49 = vec4<n37>();
var n50 = vec4<n37>();
var n51 = vec4<n37>();
var n52 = vec4<n37>();
{
let n53 = select(0u, 0u, 0u < n9);
let n54 = n23 + (n53 >> 2u);
n36 = n55[n54 + 0u * n26];
n38 = n55[n54 + 1u * n26];
n39 = n55[n54 + 2u * n26];
n40 = n55[n54 + 3u * n26];
n41 = n55[n54 + 4u * n26];
n42 = n55[n54 + 5u * n26];
n43 = n55[n54 + 6u * n26];
n44 = n55[n54 + 7u * n26];
n45 = n56(n7, n6 + 4u * n28, n53 + n27 + 0u * 8u);
n46 = n56(n7, n6 + 4u * n28, n53 + n27 + 1u * 8u);
n47 = n56(n7, n6 + 4u * n28, n53 + n27 + 2u * 8u);
n48 = n56(n7, n6 + 4u * n28, n53 + n27 + 3u * 8u);
n49 = n56(n7, n6 + 4u * n28, n53 + n27 + 4u * 8u);
n50 = n56(n7, n6 + 4u * n28, n53 + n27 + 5u * 8u);
n51 = n56(n7, n6 + 4u * n28, n53 + n27 + 6u * 8u);
n52 = n56(n7, n6 + 4u * n28, n53 + n27 + 7u * 8u);
}
var n57 = vec4<n37>();
var n58 = vec4<n37>();
var n59 = vec4<n37>();
var n60 = vec4<n37>();
var n61 = vec4<n37>();
var n62 = vec4<n37>();
var n63 = vec4<n37>();
var n64 = vec4<n37>();
var n65 = vec4<n37>();
var n66 = vec4<n37>();
var n67 = vec4<n37>();
var n68 = vec4<n37>();
var n69 = vec4<n37>();
var n70 = vec4<n37>();
var n71 = vec4<n37>();
var n72 = vec4<n37>();
{
let n53 = select(0u, 64u, 64u < n9);
let n54 = n23 + (n53 >> 2u);
n57 = n55[n54 + 0u * n26];
n58 = n55[n54 + 1u * n26];
n59 = n55[n54 + 2u * n26];
n60 = n55[n54 + 3u * n26];
n61 = n55[n54 + 4u * n26];
n62 = n55[n54 + 5u * n26];
n63 = n55[n54 + 6u * n26];
n64 = n55[n54 + 7u * n26];
n65 = n56(n7, n6 + 4u * n28, n53 + n27 + 0u * 8u);
n66 = n56(n7, n6 + 4u * n28, n53 + n27 + 1u * 8u);
n67 = n56(n7, n6 + 4u * n28, n53 + n27 + 2u * 8u);
n68 = n56(n7, n6 + 4u * n28, n53 + n27 + 3u * 8u);
n69 = n56(n7, n6 + 4u * n28, n53 + n27 + 4u * 8u);
n70 = n56(n7, n6 + 4u * n28, n53 + n27 + 5u * 8u);
n71 = n56(n7, n6 + 4u * n28, n53 + n27 + 6u * 8u);
n72 = n56(n7, n6 + 4u * n28, n53 + n27 + 7u * 8u);
}
for (var n73 = 0u; n73 < n9; n73 += 2u * n74) {
{
n75[n21 + (0u * 8u) * n22] = n36;
n75[n21 + (1u * 8u) * n22] = n38;
n75[n21 + (2u * 8u) * n22] = n39;
n75[n21 + (3u * 8u) * n22] = n40;
n75[n21 + (4u * 8u) * n22] = n41;
n75[n21 + (5u * 8u) * n22] = n42;
n75[n21 + (6u * 8u) * n22] = n43;
n75[n21 + (7u * 8u) * n22] = n44;
n76[n29 + (0u * 8u) * n30] = n45;
n76[n29 + (1u * 8u) * n30] = n46;
n76[n29 + (2u * 8u) * n30] = n47;
n76[n29 + (3u * 8u) * n30] = n48;
n76[n29 + (4u * 8u) * n30] = n49;
n76[n29 + (5u * 8u) * n30] = n50;
n76[n29 + (6u * 8u) * n30] = n51;
n76[n29 + (7u * 8u) * n30] = n52;
workgroupBarrier();
let n77 = n73 + 2u * n74;
let n53 = select(0u, n77, n77 < n9);
let n54 = n23 + (n53 >> 2u);
n36 = n55[n54 + 0u * n26];
n38 = n55[n54 + 1u * n26];
n39 = n55[n54 + 2u * n26];
n40 = n55[n54 + 3u * n26];
n41 = n55[n54 + 4u * n26];
n42 = n55[n54 + 5u * n26];
n43 = n55[n54 + 6u * n26];
n44 = n55[n54 + 7u * n26];
n45 = n56(n7, n6 + 4u * n28, n53 + n27 + 0u * 8u);
n46 = n56(n7, n6 + 4u * n28, n53 + n27 + 1u * 8u);
n47 = n56(n7, n6 + 4u * n28, n53 + n27 + 2u * 8u);
n48 = n56(n7, n6 + 4u * n28, n53 + n27 + 3u * 8u);
n49 = n56(n7, n6 + 4u * n28, n53 + n27 + 4u * 8u);
n50 = n56(n7, n6 + 4u * n28, n53 + n27 + 5u * 8u);
n51 = n56(n7, n6 + 4u * n28, n53 + n27 + 6u * 8u);
n52 = n56(n7, n6 + 4u * n28, n53 + n27 + 7u * 8u);
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n82(n18 + 0u, 0u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 0u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n82(n18 + 0u, 16u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 16u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
{
let n78 = n79(n17 + 0u, 32u);
let n80 = n79(n17 + 16u, 32u);
let n81 = n82(n18 + 0u, 32u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 32u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
{
let n78 = n79(n17 + 0u, 48u);
let n80 = n79(n17 + 16u, 48u);
let n81 = n82(n18 + 0u, 48u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 48u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
workgroupBarrier();
}
for (var n84 = n73 + n74 < n9; n84; n84 = false) {
n75[n21 + (0u * 8u) * n22] = n57;
n75[n21 + (1u * 8u) * n22] = n58;
n75[n21 + (2u * 8u) * n22] = n59;
n75[n21 + (3u * 8u) * n22] = n60;
n75[n21 + (4u * 8u) * n22] = n61;
n75[n21 + (5u * 8u) * n22] = n62;
n75[n21 + (6u * 8u) * n22] = n63;
n75[n21 + (7u * 8u) * n22] = n64;
n76[n29 + (0u * 8u) * n30] = n65;
n76[n29 + (1u * 8u) * n30] = n66;
n76[n29 + (2u * 8u) * n30] = n67;
n76[n29 + (3u * 8u) * n30] = n68;
n76[n29 + (4u * 8u) * n30] = n69;
n76[n29 + (5u * 8u) * n30] = n70;
n76[n29 + (6u * 8u) * n30] = n71;
n76[n29 + (7u * 8u) * n30] = n72;
workgroupBarrier();
let n77 = n73 + 3u * n74;
let n53 = select(0u, n77, n77 < n9);
let n54 = n23 + (n53 >> 2u);
n57 = n55[n54 + 0u * n26];
n58 = n55[n54 + 1u * n26];
n59 = n55[n54 + 2u * n26];
n60 = n55[n54 + 3u * n26];
n61 = n55[n54 + 4u * n26];
n62 = n55[n54 + 5u * n26];
n63 = n55[n54 + 6u * n26];
n64 = n55[n54 + 7u * n26];
n65 = n56(n7, n6 + 4u * n28, n53 + n27 + 0u * 8u);
n66 = n56(n7, n6 + 4u * n28, n53 + n27 + 1u * 8u);
n67 = n56(n7, n6 + 4u * n28, n53 + n27 + 2u * 8u);
n68 = n56(n7, n6 + 4u * n28, n53 + n27 + 3u * 8u);
n69 = n56(n7, n6 + 4u * n28, n53 + n27 + 4u * 8u);
n70 = n56(n7, n6 + 4u * n28, n53 + n27 + 5u * 8u);
n71 = n56(n7, n6 + 4u * n28, n53 + n27 + 6u * 8u);
n72 = n56(n7, n6 + 4u * n28, n53 + n27 + 7u * 8u);
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n82(n18 + 0u, 0u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 0u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n82(n18 + 0u, 16u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 16u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
{
let n78 = n79(n17 + 0u, 32u);
let n80 = n79(n17 + 16u, 32u);
let n81 = n82(n18 + 0u, 32u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 32u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
{
let n78 = n79(n17 + 0u, 48u);
let n80 = n79(n17 + 16u, 48u);
let n81 = n82(n18 + 0u, 48u);
n31 = coopMultiplyAdd(n78, n81, n31);
n34 = coopMultiplyAdd(n80, n81, n34);
let n83 = n82(n18 + 16u, 48u);
n33 = coopMultiplyAdd(n78, n83, n33);
n35 = coopMultiplyAdd(n80, n83, n35);
}
workgroupBarrier();
}
}
let n85 = n11 * n86 * n87;
let n88 = n85 + 0u;
coopStoreT(n31, &n89[n88], n87);
workgroupBarrier();
n90(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n85, n13);
workgroupBarrier();
coopStoreT(n33, &n89[n88], n87);
workgroupBarrier();
n90(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n85, n13);
workgroupBarrier();
coopStoreT(n34, &n89[n88], n87);
workgroupBarrier();
n90(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n85, n13);
workgroupBarrier();
coopStoreT(n35, &n89[n88], n87);
workgroupBarrier();
n90(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n85, n13);
workgroupBarrier();
}
// 8b77f3767a19
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[1].x);
let n15 = (n10 * n14);
let n16 = (n11 * n14);
let n17 = (n12 * n14);
let n18 = (n13 * n14);
n19[n1] = vec4<f32>(n15, n16, n17, n18);
}
// 8ba5f79b4fdc
fn n0(group: vec3<u32>) -> vec3<u32> {
var n1 = group * vec3<u32>(n2, n3, 1u);
return n1;
}
// 8c395f6a86da
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[1].z;
}
switch n6 {
case 0u: {
{ var n3 = z;
n2.n7 = n5[2].y;
}
}
case 1u: {
{ var n3 = z;
n2.n7 = n5[4].w;
}
}
default: {
{ var n3 = z;
n2.n7 = n5[7].y;
}
}
}
return n2;
}
// 8cb3e7e77ded
@group(0) @binding(0) var<storage, read> n0: array<u32>;
// 8cd24971fa95
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 5>;
// 8d20fa9582f6
@group(0) @binding(9) var<storage, read_write> n0: array<vec4<f32>>;
// 8d969bf8975a
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n7 + 128u;
let n39 = n38 < n11;
let n40 = min(n38, n11 - 1u);
let n41 = n12 + n40;
let n42 = 4u * n41 + 0u;
let n43 = 4u * n40 + 0u;
let n44 = 4u * n41 + 1u;
let n45 = 4u * n40 + 1u;
let n46 = 4u * n41 + 2u;
let n47 = 4u * n40 + 2u;
let n48 = 4u * n41 + 3u;
let n49 = 4u * n40 + 3u;
let n50 = n29[n41];
let n51 = n50.x;
let n52 = n50.y;
let n53 = n50.z;
let n54 = n50.w;
let n55 = (n51 * n51);
n15 = (n15 + select(f32(0), n55, n39));
let n56 = (n52 * n52);
n15 = (n15 + select(f32(0), n56, n39));
let n57 = (n53 * n53);
n15 = (n15 + select(f32(0), n57, n39));
let n58 = (n54 * n54);
n15 = (n15 + select(f32(0), n58, n39));
let n59 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n60[n3 / 32u] = n59; }
workgroupBarrier();
let n61 = (n3 - n7) / 32u;
var n62 = n60[n61];
for (var n63 = 1u; n63 < 4u; n63++) { n62 = (n62 + n60[n61 + n63]); }
let n64 = n62;
workgroupBarrier();
let n65 = n66(n64, n13);
let n67 = (n65 + n14);
let n68 = inverseSqrt(n67);
let n69 = (n30 * n68);
let n70 = n71[n21];
let n72 = (n69 * n70);
let n73 = (n31 * n68);
let n74 = n71[n23];
let n75 = (n73 * n74);
let n76 = (n32 * n68);
let n77 = n71[n25];
let n78 = (n76 * n77);
let n79 = (n33 * n68);
let n80 = n71[n27];
let n81 = (n79 * n80);
if (n9 && n17) {
n82[n19] = vec4<f32>(n72, n75, n78, n81);
}
let n83 = (n51 * n68);
let n84 = n71[n43];
let n85 = (n83 * n84);
let n86 = (n52 * n68);
let n87 = n71[n45];
let n88 = (n86 * n87);
let n89 = (n53 * n68);
let n90 = n71[n47];
let n91 = (n89 * n90);
let n92 = (n54 * n68);
let n93 = n71[n49];
let n94 = (n92 * n93);
if (n9 && n39) {
n82[n41] = vec4<f32>(n85, n88, n91, n94);
}
}
// 8d9b869acaed
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[n1];
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = n10(n11(n5));
let n12 = n9;
let n13 = n2 + 1u;
let n14 = n10(n11(n6));
let n15 = n14;
let n16 = n2 + 2u;
let n17 = n10(n11(n7));
let n18 = n17;
let n19 = n2 + 3u;
let n20 = n10(n11(n8));
let n21 = n20;
return vec4<f32>(n12, n15, n18, n21);
}
// 8de149403718
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
let n34 = n7 + 128u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n28[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n13 = n33(n13, select((-n14()), n47, n35));
n13 = n33(n13, select((-n14()), n48, n35));
n13 = n33(n13, select((-n14()), n49, n35));
n13 = n33(n13, select((-n14()), n50, n35));
n51[n3] = n13;
workgroupBarrier();
for (var n52 = 64u; n52 > 0u; n52 >>= 1u) {
if (n7 < n52) { n51[n3] = n33(n51[n3], n51[n3 + n52]); }
workgroupBarrier();
}
let n53 = n51[n3 - n7];
workgroupBarrier();
var n54: f32 = f32(0);
let n55 = (n29 - n53);
let n56 = n57(n55);
n54 = (n54 + select(f32(0), n56, n16));
let n58 = (n30 - n53);
let n59 = n57(n58);
n54 = (n54 + select(f32(0), n59, n16));
let n60 = (n31 - n53);
let n61 = n57(n60);
n54 = (n54 + select(f32(0), n61, n16));
let n62 = (n32 - n53);
let n63 = n57(n62);
n54 = (n54 + select(f32(0), n63, n16));
let n64 = (n47 - n53);
let n65 = n57(n64);
n54 = (n54 + select(f32(0), n65, n35));
let n66 = (n48 - n53);
let n67 = n57(n66);
n54 = (n54 + select(f32(0), n67, n35));
let n68 = (n49 - n53);
let n69 = n57(n68);
n54 = (n54 + select(f32(0), n69, n35));
let n70 = (n50 - n53);
let n71 = n57(n70);
n54 = (n54 + select(f32(0), n71, n35));
n51[n3] = n54;
workgroupBarrier();
for (var n52 = 64u; n52 > 0u; n52 >>= 1u) {
if (n7 < n52) { n51[n3] = (n51[n3] + n51[n3 + n52]); }
workgroupBarrier();
}
let n72 = n51[n3 - n7];
workgroupBarrier();
let n73 = n74(n72);
let n75 = (n55 - n73);
let n76 = (n58 - n73);
let n77 = (n60 - n73);
let n78 = (n62 - n73);
if (n9 && n16) {
n79[n18] = vec4<f32>(n75, n76, n77, n78);
}
let n80 = (n64 - n73);
let n81 = (n66 - n73);
let n82 = (n68 - n73);
let n83 = (n70 - n73);
if (n9 && n35) {
n79[n37] = vec4<f32>(n80, n81, n82, n83);
}
}
// 8e3bdd687336
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
let n32 = n7 + 32u;
let n33 = n32 < n11;
let n34 = min(n32, n11 - 1u);
let n35 = n12 + n34;
let n36 = 4u * n35 + 0u;
let n37 = 4u * n34 + 0u;
let n38 = 4u * n35 + 1u;
let n39 = 4u * n34 + 1u;
let n40 = 4u * n35 + 2u;
let n41 = 4u * n34 + 2u;
let n42 = 4u * n35 + 3u;
let n43 = 4u * n34 + 3u;
let n44 = n27[n35];
let n45 = n44.x;
let n46 = n44.y;
let n47 = n44.z;
let n48 = n44.w;
n13 = (n13 + select(f32(0), n45, n33));
n13 = (n13 + select(f32(0), n46, n33));
n13 = (n13 + select(f32(0), n47, n33));
n13 = (n13 + select(f32(0), n48, n33));
let n49 = n7 + 64u;
let n50 = n49 < n11;
let n51 = min(n49, n11 - 1u);
let n52 = n12 + n51;
let n53 = 4u * n52 + 0u;
let n54 = 4u * n51 + 0u;
let n55 = 4u * n52 + 1u;
let n56 = 4u * n51 + 1u;
let n57 = 4u * n52 + 2u;
let n58 = 4u * n51 + 2u;
let n59 = 4u * n52 + 3u;
let n60 = 4u * n51 + 3u;
let n61 = n27[n52];
let n62 = n61.x;
let n63 = n61.y;
let n64 = n61.z;
let n65 = n61.w;
n13 = (n13 + select(f32(0), n62, n50));
n13 = (n13 + select(f32(0), n63, n50));
n13 = (n13 + select(f32(0), n64, n50));
n13 = (n13 + select(f32(0), n65, n50));
let n66 = n7 + 96u;
let n67 = n66 < n11;
let n68 = min(n66, n11 - 1u);
let n69 = n12 + n68;
let n70 = 4u * n69 + 0u;
let n71 = 4u * n68 + 0u;
let n72 = 4u * n69 + 1u;
let n73 = 4u * n68 + 1u;
let n74 = 4u * n69 + 2u;
let n75 = 4u * n68 + 2u;
let n76 = 4u * n69 + 3u;
let n77 = 4u * n68 + 3u;
let n78 = n27[n69];
let n79 = n78.x;
let n80 = n78.y;
let n81 = n78.z;
let n82 = n78.w;
n13 = (n13 + select(f32(0), n79, n67));
n13 = (n13 + select(f32(0), n80, n67));
n13 = (n13 + select(f32(0), n81, n67));
n13 = (n13 + select(f32(0), n82, n67));
let n83 = n7 + 128u;
let n84 = n83 < n11;
let n85 = min(n83, n11 - 1u);
let n86 = n12 + n85;
let n87 = 4u * n86 + 0u;
let n88 = 4u * n85 + 0u;
let n89 = 4u * n86 + 1u;
let n90 = 4u * n85 + 1u;
let n91 = 4u * n86 + 2u;
let n92 = 4u * n85 + 2u;
let n93 = 4u * n86 + 3u;
let n94 = 4u * n85 + 3u;
let n95 = n27[n86];
let n96 = n95.x;
let n97 = n95.y;
let n98 = n95.z;
let n99 = n95.w;
n13 = (n13 + select(f32(0), n96, n84));
n13 = (n13 + select(f32(0), n97, n84));
n13 = (n13 + select(f32(0), n98, n84));
n13 = (n13 + select(f32(0), n99, n84));
let n100 = n7 + 160u;
let n101 = n100 < n11;
let n102 = min(n100, n11 - 1u);
let n103 = n12 + n102;
let n104 = 4u * n103 + 0u;
let n105 = 4u * n102 + 0u;
let n106 = 4u * n103 + 1u;
let n107 = 4u * n102 + 1u;
let n108 = 4u * n103 + 2u;
let n109 = 4u * n102 + 2u;
let n110 = 4u * n103 + 3u;
let n111 = 4u * n102 + 3u;
let n112 = n27[n103];
let n113 = n112.x;
let n114 = n112.y;
let n115 = n112.z;
let n116 = n112.w;
n13 = (n13 + select(f32(0), n113, n101));
n13 = (n13 + select(f32(0), n114, n101));
n13 = (n13 + select(f32(0), n115, n101));
n13 = (n13 + select(f32(0), n116, n101));
let n117 = n7 + 192u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = n27[n120];
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
n13 = (n13 + select(f32(0), n130, n118));
n13 = (n13 + select(f32(0), n131, n118));
n13 = (n13 + select(f32(0), n132, n118));
n13 = (n13 + select(f32(0), n133, n118));
let n134 = n7 + 224u;
let n135 = n134 < n11;
let n136 = min(n134, n11 - 1u);
let n137 = n12 + n136;
let n138 = 4u * n137 + 0u;
let n139 = 4u * n136 + 0u;
let n140 = 4u * n137 + 1u;
let n141 = 4u * n136 + 1u;
let n142 = 4u * n137 + 2u;
let n143 = 4u * n136 + 2u;
let n144 = 4u * n137 + 3u;
let n145 = 4u * n136 + 3u;
let n146 = n27[n137];
let n147 = n146.x;
let n148 = n146.y;
let n149 = n146.z;
let n150 = n146.w;
n13 = (n13 + select(f32(0), n147, n135));
n13 = (n13 + select(f32(0), n148, n135));
n13 = (n13 + select(f32(0), n149, n135));
n13 = (n13 + select(f32(0), n150, n135));
let n151 = subgroupAdd(n13);
let n152 = n151;
if (n7 == 0u && n9) {
n153[n10] = n152;
}
}
// 8e44ec30f684
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].y + n3) >> 2u;
return n9[n7];
}
// 8e90a58202b5
const n0: u32 = n1 * n2 / 4u;
// 900a319fa3af
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
let n9 = n10[2u * n7];
let n11 = n10[2u * n7 + 1u];
let n12 = n13((n9 >> 0u) & 0xffffu);
let n14 = n13((n9 >> 16u) & 0xffffu);
let n15 = n13((n11 >> 0u) & 0xffffu);
let n16 = n13((n11 >> 16u) & 0xffffu);
return vec4<n5>(n12, n14, n15, n16);
}
// 9091380bec58
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
var n15: f32 = n14();
var n16: f32 = f32(0);
for (var n17 = n7; n17 < n11; n17 += 256u) {
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, n29);
n13 = n33(n13, n30);
n13 = n33(n13, n31);
n13 = n33(n13, n32);
n15 = n34(n15, n29);
n15 = n34(n15, n30);
n15 = n34(n15, n31);
n15 = n34(n15, n32);
n16 = (n16 + n29);
n16 = (n16 + n30);
n16 = (n16 + n31);
n16 = (n16 + n32);
}
let n35 = subgroupAny(n36(n13));
let n37 = subgroupMax(select(n13, (-n14()), n36(n13)));
let n38 = select(n37, n39(), n35);
if (n3 % 32u == 0u) { n40[n3 / 32u] = n38; }
workgroupBarrier();
let n41 = (n3 - n7) / 32u;
var n42 = n40[n41];
for (var n43 = 1u; n43 < 8u; n43++) { n42 = n33(n42, n40[n41 + n43]); }
let n44 = n42;
workgroupBarrier();
let n45 = subgroupAny(n36(n15));
let n46 = subgroupMin(select(n15, n14(), n36(n15)));
let n47 = select(n46, n39(), n45);
if (n3 % 32u == 0u) { n40[n3 / 32u] = n47; }
workgroupBarrier();
let n48 = (n3 - n7) / 32u;
var n49 = n40[n48];
for (var n43 = 1u; n43 < 8u; n43++) { n49 = n34(n49, n40[n48 + n43]); }
let n50 = n49;
workgroupBarrier();
let n51 = subgroupAdd(n16);
if (n3 % 32u == 0u) { n40[n3 / 32u] = n51; }
workgroupBarrier();
let n52 = (n3 - n7) / 32u;
var n53 = n40[n52];
for (var n43 = 1u; n43 < 8u; n43++) { n53 = (n53 + n40[n52 + n43]); }
let n54 = n53;
workgroupBarrier();
if (n7 == 0u && n9) {
n55[n10] = n44;
n56[n10] = n50;
n57[n10] = n54;
}
}
// 90f4db7488c8
var<workgroup> n0: array<vec4<n1>, n2 * n3>;
// 9100710febeb
fn n0(n1: u32) -> f32 {
return unpack2x16float(n1).x;
}
// 915a07c45bf1
fn n0(n1: u32) -> u32 { return n1 / n2 * n3 + n1 % n2; }
// 919cf7ce413a
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
let n13 = bitcast<f32>(n5[2].z);
var n14: f32 = f32(0);
for (var n15 = n7; n15 < n11; n15 += 1u) {
let n16 = n12 + n15;
let n17 = n10 + n15 * n5[1].y;
let n18 = n19[n17];
n14 = (n14 + n18);
}
let n20 = n14;
let n21 = n22(n20, n13);
if (n7 == 0u && n9) {
n23[n10] = n21;
}
}
// 91f2122b7574
fn n0(x: f32) -> f32 {
let n1 = n2(x);
return n3(x, fma(n1.y, 0.693145752, fma(n1.y, 1.42860677e-6, n4(n1.x))));
}
// 91f36967b7d7
fn n0(x: n1) -> f32 {
let n2 = n3(n4(x));
return select(n2, -n2, n5(x));
}
// 92c85c8f49bf
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n9];
let n18 = (n3.x + n16);
let n19 = bitcast<f32>(n5[3].y);
let n20 = n21(n18, n19);
let n22 = n23[n7];
let n24 = n22.x;
let n25 = n22.y;
let n26 = n22.z;
let n27 = n22.w;
let n28 = (n20 + n24);
let n29 = n17[n11];
let n30 = (n3.y + n29);
let n31 = n21(n30, n19);
let n32 = (n31 + n25);
let n33 = n17[n13];
let n34 = (n3.z + n33);
let n35 = n21(n34, n19);
let n36 = (n35 + n26);
let n37 = n17[n15];
let n38 = (n3.w + n37);
let n39 = n21(n38, n19);
let n40 = (n39 + n27);
n41[n7] = vec4<f32>(n28, n32, n36, n40);
}
// 936e9ff2a1c6
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 2>;
// 938349cc5790
@group(0) @binding(8) var<uniform> n0: array<vec4<u32>, 3>;
// 949c9b420763
const n0: u32 = (n1 + n2 * n3 - 1u) / (n2 * n3);
// 95bfb14abfca
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = group.x;
let n4 = group.y;
let n5 = n4 / n6.n7;
let n8 = group.z * n9;
let n10 = n6.group * n6.n11;
let n12 = (n4 % n6.n7) * n6.group;
let length = n13(n5);
if (n3 * n14 >= length) {
for (var n15 = n2; n15 < n9 * n16; n15 += n0) {
let n17 = n8 + n15 / n16;
if (n17 < n10) {
let n18 = n19(n5, n12 + n17 / n6.n11, n17 % n6.n11) + n3;
n20[n18 * n16 + n15 % n16] = vec4<f32>();
if (n15 % n16 == 0u) { n21[n18] = vec2<f32>(n22, 0.0); }
}
}
return;
}
let n23 = n2 % n24;
var n25: array<vec4<f32>, n26>;
if (n27) {
for (var n17 = 0u; n17 < n9; n17++) {
let n28 = min(n8 + n17, n10 - 1u);
let n29 = n30(n31(n5, n12 + n28 / n6.n11), n5, n28 % n6.n11) + n23;
for (var n32 = 0u; n32 < n33; n32++) { n25[n17 * n33 + n32] = n34(n29 + n32 * n24); }
}
} else {
for (var n15 = n2; n15 < n9 * n16; n15 += n0) {
let n17 = min(n8 + n15 / n16, n10 - 1u);
n35[n15] = n34(n30(n31(n5, n12 + n17 / n6.n11), n5, n17 % n6.n11) + n15 % n16);
}
workgroupBarrier();
}
let n36 = n37(n5, n4 % n6.n7);
for (var n38 = 0u; n38 < n14; n38 += n0 / n24) {
let n39 = n38 + n2 / n24;
let n40 = n3 * n14 + n39;
let n41 = n42(n36, n5, min(n40, length - 1u)) + n23;
var n43: array<vec4<f32>, n9>;
for (var n17 = 0u; n17 < n9; n17++) { n43[n17] = vec4<f32>(); }
for (var n32 = 0u; n32 < n33; n32++) {
let n44 = n45(n41 + n32 * n24);
for (var n17 = 0u; n17 < n9; n17++) {
if (n27) {
n43[n17] = fma(n25[n17 * n33 + n32], n44, n43[n17]);
} else {
n43[n17] = fma(n35[n17 * n16 + n23 + n32 * n24], n44, n43[n17]);
}
}
}
for (var n17 = 0u; n17 < n9; n17++) {
let n28 = min(n8 + n17, n10 - 1u);
let n46 = n47((n43[n17].x + n43[n17].y) + (n43[n17].z + n43[n17].w));
let n48 = n49(n46, n5, n12 + n28 / n6.n11, n28 % n6.n11, n40);
if (n23 == 0u && n39 < n14) { n50[n17 * n14 + n39] = n48; }
}
}
workgroupBarrier();
let n51 = n2 / n52;
var n53 = n22;
for (var n39 = n2 % n52; n39 < n14; n39 += n52) { n53 = max(n53, n50[n51 * n14 + n39]); }
n54[n2] = vec4<f32>(n53);
workgroupBarrier();
for (var n55 = 0u; n55 < n52; n55++) { n53 = max(n53, n54[n51 * n52 + n55].x); }
var n56 = 0.0;
for (var n39 = n2 % n52; n39 < n14; n39 += n52) {
let n48 = n50[n51 * n14 + n39];
let w = select(n57(n48 - n53), 0.0, n48 == n22);
n50[n51 * n14 + n39] = w;
n56 += w;
}
workgroupBarrier();
n54[n2] = vec4<f32>(n56);
workgroupBarrier();
if (n2 % n52 == 0u && n8 + n51 < n10) {
n56 = 0.0;
for (var n55 = 0u; n55 < n52; n55++) { n56 += n54[n2 + n55].x; }
let n17 = n8 + n51;
let n18 = n19(n5, n12 + n17 / n6.n11, n17 % n6.n11) + n3;
n21[n18] = vec2<f32>(n53, n56);
}
let n58 = n2 % n59;
let n60 = n2 / n59;
var n61: array<vec4<f32>, n9>;
if (n58 < n16) {
let n62 = min(n14, length - n3 * n14);
let n63 = n64(n5, n4 % n6.n7);
var n39 = n60;
for (; n39 + 3u * n65 < n62; n39 += 4u * n65) {
let n66 = n67(n68(n63, n5, n3 * n14 + n39) + n58);
let n69 = n67(n68(n63, n5, n3 * n14 + n39 + n65) + n58);
let n70 = n67(n68(n63, n5, n3 * n14 + n39 + 2u * n65) + n58);
let n71 = n67(n68(n63, n5, n3 * n14 + n39 + 3u * n65) + n58);
for (var n17 = 0u; n17 < n9; n17++) {
let n18 = n17 * n14 + n39;
n61[n17] = fma(vec4<f32>(n50[n18]), n66, n61[n17]);
n61[n17] = fma(vec4<f32>(n50[n18 + n65]), n69, n61[n17]);
n61[n17] = fma(vec4<f32>(n50[n18 + 2u * n65]), n70, n61[n17]);
n61[n17] = fma(vec4<f32>(n50[n18 + 3u * n65]), n71, n61[n17]);
}
}
for (; n39 < n62; n39 += n65) {
let n46 = n67(n68(n63, n5, n3 * n14 + n39) + n58);
for (var n17 = 0u; n17 < n9; n17++) { n61[n17] = fma(vec4<f32>(n50[n17 * n14 + n39]), n46, n61[n17]); }
}
}
for (var n72 = 0u; n72 < n9; n72 += n73) {
workgroupBarrier();
for (var n17 = 0u; n17 < n73; n17++) { n54[n17 * n0 + n2] = n61[n72 + n17]; }
workgroupBarrier();
for (var n15 = n2; n15 < n73 * n59; n15 += n0) {
let n28 = n8 + n72 + n15 / n59;
let n74 = n15 % n59;
if (n74 < n16 && n28 < n10) {
var n75 = vec4<f32>();
for (var n55 = 0u; n55 < n65; n55++) { n75 += n54[n15 / n59 * n0 + n55 * n59 + n74]; }
let n18 = n19(n5, n12 + n28 / n6.n11, n28 % n6.n11) + n3;
n20[n18 * n16 + n74] = n75;
}
}
}
}
// 966668044dd1
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 4>;
// 967decb67a94
fn n0(x: n1) -> n1 {
return n2(vec2<u32>(0u, 0u), x);
}
// 96ff196f525d
fn n0(n1: u32) {
let n2 = n3[6].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 + n3[6].w;
let n9 = f32(n10[n8]);
let n11 = n5 + n3[6].w;
let n12 = f32(n10[n11]);
let n13 = n6 + n3[6].w;
let n14 = f32(n10[n13]);
let n15 = n7 + n3[6].w;
let n16 = f32(n10[n15]);
n17[n1] = vec4<f16>(vec4<f32>(n9, n12, n14, n16));
}
// 97909293da3b
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[n1];
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = n10[n1];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
let n15 = (n5 + n11);
let n16 = n17[n1];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n15 + n18);
let n23 = n24[n1];
let n25 = n23.x;
let n26 = n23.y;
let n27 = n23.z;
let n28 = n23.w;
let n29 = (n22 + n25);
let n30 = n2 + 1u;
let n31 = (n6 + n12);
let n32 = (n31 + n19);
let n33 = (n32 + n26);
let n34 = n2 + 2u;
let n35 = (n7 + n13);
let n36 = (n35 + n20);
let n37 = (n36 + n27);
let n38 = n2 + 3u;
let n39 = (n8 + n14);
let n40 = (n39 + n21);
let n41 = (n40 + n28);
return vec4<f32>(n29, n33, n37, n41);
}
// 97cab310b534
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = bitcast<f32>(n5[5].z);
let n23 = (n3.x * n22);
let n24 = (n18 * n23);
let n25 = bitcast<f32>(n5[5].w);
let n26 = (n24 * n25);
let n27 = bitcast<f32>(n5[6].x);
let n28 = (n3.x * n27);
let n29 = (n28 * n28);
let n30 = (-n29);
let n31 = n32(n30);
let n33 = (n26 * n31);
let n34 = (n33 * n27);
let n35 = n36(n28);
let n37 = bitcast<f32>(n5[6].y);
let n38 = (n35 + n37);
let n39 = (n18 * n38);
let n40 = (n39 * n22);
let n41 = (n34 + n40);
let n42 = (n3.y * n22);
let n43 = (n19 * n42);
let n44 = (n43 * n25);
let n45 = (n3.y * n27);
let n46 = (n45 * n45);
let n47 = (-n46);
let n48 = n32(n47);
let n49 = (n44 * n48);
let n50 = (n49 * n27);
let n51 = n36(n45);
let n52 = (n51 + n37);
let n53 = (n19 * n52);
let n54 = (n53 * n22);
let n55 = (n50 + n54);
let n56 = (n3.z * n22);
let n57 = (n20 * n56);
let n58 = (n57 * n25);
let n59 = (n3.z * n27);
let n60 = (n59 * n59);
let n61 = (-n60);
let n62 = n32(n61);
let n63 = (n58 * n62);
let n64 = (n63 * n27);
let n65 = n36(n59);
let n66 = (n65 + n37);
let n67 = (n20 * n66);
let n68 = (n67 * n22);
let n69 = (n64 + n68);
let n70 = (n3.w * n22);
let n71 = (n21 * n70);
let n72 = (n71 * n25);
let n73 = (n3.w * n27);
let n74 = (n73 * n73);
let n75 = (-n74);
let n76 = n32(n75);
let n77 = (n72 * n76);
let n78 = (n77 * n27);
let n79 = n36(n73);
let n80 = (n79 + n37);
let n81 = (n21 * n80);
let n82 = (n81 * n22);
let n83 = (n78 + n82);
let n84 = (n23 * n38);
let n85 = (n42 * n52);
let n86 = (n56 * n66);
let n87 = (n70 * n80);
n88[n7] = vec4<f32>(n41, n55, n69, n83);
n89[n7] = vec4<f32>(n84, n85, n86, n87);
}
// 98113d7f7c72
@group(0) @binding(3) var<storage, read> n0: array<vec4<f32>>;
// 981290e7406d
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[0].w;
let n9 = (n4 - n8 * n3[0].w) * n3[1].x + n8;
let n10 = n11[n9];
let n12 = n13(n10);
let n14 = n4 / n3[2].x;
let n15 = (n4 - n14 * n3[2].x) * n3[2].y + n14;
let n16 = n17[n15];
let n18 = (n12 + n16);
let n19 = n5 / n3[0].w;
let n20 = (n5 - n19 * n3[0].w) * n3[1].x + n19;
let n21 = n11[n20];
let n22 = n13(n21);
let n23 = n5 / n3[2].x;
let n24 = (n5 - n23 * n3[2].x) * n3[2].y + n23;
let n25 = n17[n24];
let n26 = (n22 + n25);
let n27 = n6 / n3[0].w;
let n28 = (n6 - n27 * n3[0].w) * n3[1].x + n27;
let n29 = n11[n28];
let n30 = n13(n29);
let n31 = n6 / n3[2].x;
let n32 = (n6 - n31 * n3[2].x) * n3[2].y + n31;
let n33 = n17[n32];
let n34 = (n30 + n33);
let n35 = n7 / n3[0].w;
let n36 = (n7 - n35 * n3[0].w) * n3[1].x + n35;
let n37 = n11[n36];
let n38 = n13(n37);
let n39 = n7 / n3[2].x;
let n40 = (n7 - n39 * n3[2].x) * n3[2].y + n39;
let n41 = n17[n40];
let n42 = (n38 + n41);
n43[n1] = vec4<f32>(n18, n26, n34, n42);
}
// 993574ea4960
fn n0(n1: f32, n2: u32, n3: u32, n4: u32, n5: u32) -> f32 {
if (!n6(n2, n4, n5)) { return n7; }
return n1 * n8.n9;
}
// 99434733662c
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
var group = n1.y * n2.x + n1.x;
let n4 = (n5[0].x + 1023u) / 1024u;
if (group < n4) {
let n6 = group * 256u + n3;
if (4u * n6 < n5[0].x) { n7(n6); }
return;
}
group -= n4;
let n8 = (n5[1].y + 1023u) / 1024u;
if (group < n8) {
let n9 = group * 256u + n3;
if (4u * n9 < n5[1].y) { n10(n9); }
return;
}
group -= n8;
let n11 = (n5[1].z + 1023u) / 1024u;
if (group < n11) {
let n12 = group * 256u + n3;
if (4u * n12 < n5[1].z) { n13(n12); }
return;
}
group -= n11;
let n14 = (n5[2].w + 1023u) / 1024u;
if (group < n14) {
let n15 = group * 256u + n3;
if (4u * n15 < n5[2].w) { n16(n15); }
return;
}
group -= n14;
}
// 9a1610f7bc2c
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n4 - n3[0].z;
let n15 = n14 < n3[0].w;
let n16 = select(0u, n14, n15);
let n17 = n18[n16];
let n19 = bitcast<f32>(n3[7].x);
let n20 = select(n19, n17, n15);
let n21 = (n10 + n20);
let n22 = n4 - n3[2].x;
let n23 = n22 < n3[2].y;
let n24 = select(0u, n22, n23);
let n25 = n26[n24];
let n27 = select(n19, n25, n23);
let n28 = (n21 + n27);
let n29 = n4 - n3[2].w;
let n30 = n29 < n3[3].x;
let n31 = select(0u, n29, n30);
let n32 = n33[n31];
let n34 = select(n19, n32, n30);
let n35 = (n28 + n34);
let n36 = n4 - n3[3].z;
let n37 = n36 < n3[3].w;
let n38 = select(0u, n36, n37);
let n39 = n40[n38];
let n41 = select(n19, n39, n37);
let n42 = (n35 + n41);
let n43 = n4 - n3[4].y;
let n44 = n43 < n3[4].z;
let n45 = select(0u, n43, n44);
let n46 = n47[n45];
let n48 = select(n19, n46, n44);
let n49 = (n42 + n48);
let n50 = n4 - n3[5].x;
let n51 = n50 < n3[5].y;
let n52 = select(0u, n50, n51);
let n53 = n54[n52];
let n55 = select(n19, n53, n51);
let n56 = (n49 + n55);
let n57 = n4 - n3[5].w;
let n58 = n57 < n3[6].x;
let n59 = select(0u, n57, n58);
let n60 = n61[n59];
let n62 = select(n19, n60, n58);
let n63 = (n56 + n62);
let n64 = n4 - n3[6].z;
let n65 = n64 < n3[6].w;
let n66 = select(0u, n64, n65);
let n67 = n68[n66];
let n69 = select(n19, n67, n65);
let n70 = (n63 + n69);
let n71 = n5 - n3[0].z;
let n72 = n71 < n3[0].w;
let n73 = select(0u, n71, n72);
let n74 = n18[n73];
let n75 = select(n19, n74, n72);
let n76 = (n11 + n75);
let n77 = n5 - n3[2].x;
let n78 = n77 < n3[2].y;
let n79 = select(0u, n77, n78);
let n80 = n26[n79];
let n81 = select(n19, n80, n78);
let n82 = (n76 + n81);
let n83 = n5 - n3[2].w;
let n84 = n83 < n3[3].x;
let n85 = select(0u, n83, n84);
let n86 = n33[n85];
let n87 = select(n19, n86, n84);
let n88 = (n82 + n87);
let n89 = n5 - n3[3].z;
let n90 = n89 < n3[3].w;
let n91 = select(0u, n89, n90);
let n92 = n40[n91];
let n93 = select(n19, n92, n90);
let n94 = (n88 + n93);
let n95 = n5 - n3[4].y;
let n96 = n95 < n3[4].z;
let n97 = select(0u, n95, n96);
let n98 = n47[n97];
let n99 = select(n19, n98, n96);
let n100 = (n94 + n99);
let n101 = n5 - n3[5].x;
let n102 = n101 < n3[5].y;
let n103 = select(0u, n101, n102);
let n104 = n54[n103];
let n105 = select(n19, n104, n102);
let n106 = (n100 + n105);
let n107 = n5 - n3[5].w;
let n108 = n107 < n3[6].x;
let n109 = select(0u, n107, n108);
let n110 = n61[n109];
let n111 = select(n19, n110, n108);
let n112 = (n106 + n111);
let n113 = n5 - n3[6].z;
let n114 = n113 < n3[6].w;
let n115 = select(0u, n113, n114);
let n116 = n68[n115];
let n117 = select(n19, n116, n114);
let n118 = (n112 + n117);
let n119 = n6 - n3[0].z;
let n120 = n119 < n3[0].w;
let n121 = select(0u, n119, n120);
let n122 = n18[n121];
let n123 = select(n19, n122, n120);
let n124 = (n12 + n123);
let n125 = n6 - n3[2].x;
let n126 = n125 < n3[2].y;
let n127 = select(0u, n125, n126);
let n128 = n26[n127];
let n129 = select(n19, n128, n126);
let n130 = (n124 + n129);
let n131 = n6 - n3[2].w;
let n132 = n131 < n3[3].x;
let n133 = select(0u, n131, n132);
let n134 = n33[n133];
let n135 = select(n19, n134, n132);
let n136 = (n130 + n135);
let n137 = n6 - n3[3].z;
let n138 = n137 < n3[3].w;
let n139 = select(0u, n137, n138);
let n140 = n40[n139];
let n141 = select(n19, n140, n138);
let n142 = (n136 + n141);
let n143 = n6 - n3[4].y;
let n144 = n143 < n3[4].z;
let n145 = select(0u, n143, n144);
let n146 = n47[n145];
let n147 = select(n19, n146, n144);
let n148 = (n142 + n147);
let n149 = n6 - n3[5].x;
let n150 = n149 < n3[5].y;
let n151 = select(0u, n149, n150);
let n152 = n54[n151];
let n153 = select(n19, n152, n150);
let n154 = (n148 + n153);
let n155 = n6 - n3[5].w;
let n156 = n155 < n3[6].x;
let n157 = select(0u, n155, n156);
let n158 = n61[n157];
let n159 = select(n19, n158, n156);
let n160 = (n154 + n159);
let n161 = n6 - n3[6].z;
let n162 = n161 < n3[6].w;
let n163 = select(0u, n161, n162);
let n164 = n68[n163];
let n165 = select(n19, n164, n162);
let n166 = (n160 + n165);
let n167 = n7 - n3[0].z;
let n168 = n167 < n3[0].w;
let n169 = select(0u, n167, n168);
let n170 = n18[n169];
let n171 = select(n19, n170, n168);
let n172 = (n13 + n171);
let n173 = n7 - n3[2].x;
let n174 = n173 < n3[2].y;
let n175 = select(0u, n173, n174);
let n176 = n26[n175];
let n177 = select(n19, n176, n174);
let n178 = (n172 + n177);
let n179 = n7 - n3[2].w;
let n180 = n179 < n3[3].x;
let n181 = select(0u, n179, n180);
let n182 = n33[n181];
let n183 = select(n19, n182, n180);
let n184 = (n178 + n183);
let n185 = n7 - n3[3].z;
let n186 = n185 < n3[3].w;
let n187 = select(0u, n185, n186);
let n188 = n40[n187];
let n189 = select(n19, n188, n186);
let n190 = (n184 + n189);
let n191 = n7 - n3[4].y;
let n192 = n191 < n3[4].z;
let n193 = select(0u, n191, n192);
let n194 = n47[n193];
let n195 = select(n19, n194, n192);
let n196 = (n190 + n195);
let n197 = n7 - n3[5].x;
let n198 = n197 < n3[5].y;
let n199 = select(0u, n197, n198);
let n200 = n54[n199];
let n201 = select(n19, n200, n198);
let n202 = (n196 + n201);
let n203 = n7 - n3[5].w;
let n204 = n203 < n3[6].x;
let n205 = select(0u, n203, n204);
let n206 = n61[n205];
let n207 = select(n19, n206, n204);
let n208 = (n202 + n207);
let n209 = n7 - n3[6].z;
let n210 = n209 < n3[6].w;
let n211 = select(0u, n209, n210);
let n212 = n68[n211];
let n213 = select(n19, n212, n210);
let n214 = (n208 + n213);
n215[n1] = vec4<f32>(n70, n118, n166, n214);
}
// 9a9f592d6997
fn n0(x: f32) -> f32 {
let n1 = max(-2.0 * abs(x), -18.0);
let n2 = round(n1 * 1.44269504);
let n3 = bitcast<f32>(u32(i32(n2) + 127) << 23u);
let n4 = fma(n3, n5(n6(n1, n2)), n3 - 1.0);
return select(n7(n4 / (2.0 + n4), x), x, n8(x));
}
// 9bdd67a8b94f
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = bitcast<i32>(n3[5].x);
let n9 = (n4 % n3[0].w);
let n10 = bitcast<i32>(n9);
let n11 = bitcast<i32>(n3[5].y);
let n12 = (n10 * n11);
let n13 = (n8 + n12);
let n14 = n4 / n3[3].z;
let n15 = n14;
let n16 = n17[n15];
let n18 = bitcast<i32>(n3[5].z);
let n19 = n20(n16, n18);
let n21 = (n19 * n18);
let n22 = (n13 + n21);
let n23 = n24[u32(n22)];
let n25 = (n5 % n3[0].w);
let n26 = bitcast<i32>(n25);
let n27 = (n26 * n11);
let n28 = (n8 + n27);
let n29 = n5 / n3[3].z;
let n30 = n29;
let n31 = n17[n30];
let n32 = n20(select(0, n31, 4u * n1 + 1u <= n2), n18);
let n33 = (n32 * n18);
let n34 = (n28 + n33);
let n35 = n24[u32(n34)];
let n36 = (n6 % n3[0].w);
let n37 = bitcast<i32>(n36);
let n38 = (n37 * n11);
let n39 = (n8 + n38);
let n40 = n6 / n3[3].z;
let n41 = n40;
let n42 = n17[n41];
let n43 = n20(select(0, n42, 4u * n1 + 2u <= n2), n18);
let n44 = (n43 * n18);
let n45 = (n39 + n44);
let n46 = n24[u32(n45)];
let n47 = (n7 % n3[0].w);
let n48 = bitcast<i32>(n47);
let n49 = (n48 * n11);
let n50 = (n8 + n49);
let n51 = n7 / n3[3].z;
let n52 = n51;
let n53 = n17[n52];
let n54 = n20(select(0, n53, 4u * n1 + 3u <= n2), n18);
let n55 = (n54 * n18);
let n56 = (n50 + n55);
let n57 = n24[u32(n56)];
n58[n1] = vec4<f32>(n23, n35, n46, n57);
}
// 9c87320411c7
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = n7 + 32u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n29[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n15 = (n15 + select(f32(0), n47, n35));
n15 = (n15 + select(f32(0), n48, n35));
n15 = (n15 + select(f32(0), n49, n35));
n15 = (n15 + select(f32(0), n50, n35));
let n51 = n7 + 64u;
let n52 = n51 < n11;
let n53 = min(n51, n11 - 1u);
let n54 = n12 + n53;
let n55 = 4u * n54 + 0u;
let n56 = 4u * n53 + 0u;
let n57 = 4u * n54 + 1u;
let n58 = 4u * n53 + 1u;
let n59 = 4u * n54 + 2u;
let n60 = 4u * n53 + 2u;
let n61 = 4u * n54 + 3u;
let n62 = 4u * n53 + 3u;
let n63 = n29[n54];
let n64 = n63.x;
let n65 = n63.y;
let n66 = n63.z;
let n67 = n63.w;
n15 = (n15 + select(f32(0), n64, n52));
n15 = (n15 + select(f32(0), n65, n52));
n15 = (n15 + select(f32(0), n66, n52));
n15 = (n15 + select(f32(0), n67, n52));
let n68 = n7 + 96u;
let n69 = n68 < n11;
let n70 = min(n68, n11 - 1u);
let n71 = n12 + n70;
let n72 = 4u * n71 + 0u;
let n73 = 4u * n70 + 0u;
let n74 = 4u * n71 + 1u;
let n75 = 4u * n70 + 1u;
let n76 = 4u * n71 + 2u;
let n77 = 4u * n70 + 2u;
let n78 = 4u * n71 + 3u;
let n79 = 4u * n70 + 3u;
let n80 = n29[n71];
let n81 = n80.x;
let n82 = n80.y;
let n83 = n80.z;
let n84 = n80.w;
n15 = (n15 + select(f32(0), n81, n69));
n15 = (n15 + select(f32(0), n82, n69));
n15 = (n15 + select(f32(0), n83, n69));
n15 = (n15 + select(f32(0), n84, n69));
let n85 = n7 + 128u;
let n86 = n85 < n11;
let n87 = min(n85, n11 - 1u);
let n88 = n12 + n87;
let n89 = 4u * n88 + 0u;
let n90 = 4u * n87 + 0u;
let n91 = 4u * n88 + 1u;
let n92 = 4u * n87 + 1u;
let n93 = 4u * n88 + 2u;
let n94 = 4u * n87 + 2u;
let n95 = 4u * n88 + 3u;
let n96 = 4u * n87 + 3u;
let n97 = n29[n88];
let n98 = n97.x;
let n99 = n97.y;
let n100 = n97.z;
let n101 = n97.w;
n15 = (n15 + select(f32(0), n98, n86));
n15 = (n15 + select(f32(0), n99, n86));
n15 = (n15 + select(f32(0), n100, n86));
n15 = (n15 + select(f32(0), n101, n86));
let n102 = n7 + 160u;
let n103 = n102 < n11;
let n104 = min(n102, n11 - 1u);
let n105 = n12 + n104;
let n106 = 4u * n105 + 0u;
let n107 = 4u * n104 + 0u;
let n108 = 4u * n105 + 1u;
let n109 = 4u * n104 + 1u;
let n110 = 4u * n105 + 2u;
let n111 = 4u * n104 + 2u;
let n112 = 4u * n105 + 3u;
let n113 = 4u * n104 + 3u;
let n114 = n29[n105];
let n115 = n114.x;
let n116 = n114.y;
let n117 = n114.z;
let n118 = n114.w;
n15 = (n15 + select(f32(0), n115, n103));
n15 = (n15 + select(f32(0), n116, n103));
n15 = (n15 + select(f32(0), n117, n103));
n15 = (n15 + select(f32(0), n118, n103));
let n119 = n7 + 192u;
let n120 = n119 < n11;
let n121 = min(n119, n11 - 1u);
let n122 = n12 + n121;
let n123 = 4u * n122 + 0u;
let n124 = 4u * n121 + 0u;
let n125 = 4u * n122 + 1u;
let n126 = 4u * n121 + 1u;
let n127 = 4u * n122 + 2u;
let n128 = 4u * n121 + 2u;
let n129 = 4u * n122 + 3u;
let n130 = 4u * n121 + 3u;
let n131 = n29[n122];
let n132 = n131.x;
let n133 = n131.y;
let n134 = n131.z;
let n135 = n131.w;
n15 = (n15 + select(f32(0), n132, n120));
n15 = (n15 + select(f32(0), n133, n120));
n15 = (n15 + select(f32(0), n134, n120));
n15 = (n15 + select(f32(0), n135, n120));
let n136 = n7 + 224u;
let n137 = n136 < n11;
let n138 = min(n136, n11 - 1u);
let n139 = n12 + n138;
let n140 = 4u * n139 + 0u;
let n141 = 4u * n138 + 0u;
let n142 = 4u * n139 + 1u;
let n143 = 4u * n138 + 1u;
let n144 = 4u * n139 + 2u;
let n145 = 4u * n138 + 2u;
let n146 = 4u * n139 + 3u;
let n147 = 4u * n138 + 3u;
let n148 = n29[n139];
let n149 = n148.x;
let n150 = n148.y;
let n151 = n148.z;
let n152 = n148.w;
n15 = (n15 + select(f32(0), n149, n137));
n15 = (n15 + select(f32(0), n150, n137));
n15 = (n15 + select(f32(0), n151, n137));
n15 = (n15 + select(f32(0), n152, n137));
let n153 = subgroupAdd(n15);
let n154 = n153;
let n155 = n156(n154, n13);
let n157 = (n155 + n14);
let n158 = inverseSqrt(n157);
let n159 = (n158 * n158);
let n160 = n161[n19];
let n162 = n160.x;
let n163 = n160.y;
let n164 = n160.z;
let n165 = n160.w;
let n166 = (n162 * n158);
let n167 = (n163 * n158);
let n168 = (n164 * n158);
let n169 = (n165 * n158);
let n170 = n171[n21];
let n172 = (n166 * n170);
let n173 = n171[n23];
let n174 = (n167 * n173);
let n175 = n171[n25];
let n176 = (n168 * n175);
let n177 = n171[n27];
let n178 = (n169 * n177);
if (n9 && n17) {
n179[n19] = vec4<f32>(n166, n167, n168, n169);
n180[n19] = vec4<f32>(n172, n174, n176, n178);
}
let n181 = n161[n37];
let n182 = n181.x;
let n183 = n181.y;
let n184 = n181.z;
let n185 = n181.w;
let n186 = (n182 * n158);
let n187 = (n183 * n158);
let n188 = (n184 * n158);
let n189 = (n185 * n158);
let n190 = n171[n39];
let n191 = (n186 * n190);
let n192 = n171[n41];
let n193 = (n187 * n192);
let n194 = n171[n43];
let n195 = (n188 * n194);
let n196 = n171[n45];
let n197 = (n189 * n196);
if (n9 && n35) {
n179[n37] = vec4<f32>(n186, n187, n188, n189);
n180[n37] = vec4<f32>(n191, n193, n195, n197);
}
let n198 = n161[n54];
let n199 = n198.x;
let n200 = n198.y;
let n201 = n198.z;
let n202 = n198.w;
let n203 = (n199 * n158);
let n204 = (n200 * n158);
let n205 = (n201 * n158);
let n206 = (n202 * n158);
let n207 = n171[n56];
let n208 = (n203 * n207);
let n209 = n171[n58];
let n210 = (n204 * n209);
let n211 = n171[n60];
let n212 = (n205 * n211);
let n213 = n171[n62];
let n214 = (n206 * n213);
if (n9 && n52) {
n179[n54] = vec4<f32>(n203, n204, n205, n206);
n180[n54] = vec4<f32>(n208, n210, n212, n214);
}
let n215 = n161[n71];
let n216 = n215.x;
let n217 = n215.y;
let n218 = n215.z;
let n219 = n215.w;
let n220 = (n216 * n158);
let n221 = (n217 * n158);
let n222 = (n218 * n158);
let n223 = (n219 * n158);
let n224 = n171[n73];
let n225 = (n220 * n224);
let n226 = n171[n75];
let n227 = (n221 * n226);
let n228 = n171[n77];
let n229 = (n222 * n228);
let n230 = n171[n79];
let n231 = (n223 * n230);
if (n9 && n69) {
n179[n71] = vec4<f32>(n220, n221, n222, n223);
n180[n71] = vec4<f32>(n225, n227, n229, n231);
}
let n232 = n161[n88];
let n233 = n232.x;
let n234 = n232.y;
let n235 = n232.z;
let n236 = n232.w;
let n237 = (n233 * n158);
let n238 = (n234 * n158);
let n239 = (n235 * n158);
let n240 = (n236 * n158);
let n241 = n171[n90];
let n242 = (n237 * n241);
let n243 = n171[n92];
let n244 = (n238 * n243);
let n245 = n171[n94];
let n246 = (n239 * n245);
let n247 = n171[n96];
let n248 = (n240 * n247);
if (n9 && n86) {
n179[n88] = vec4<f32>(n237, n238, n239, n240);
n180[n88] = vec4<f32>(n242, n244, n246, n248);
}
let n249 = n161[n105];
let n250 = n249.x;
let n251 = n249.y;
let n252 = n249.z;
let n253 = n249.w;
let n254 = (n250 * n158);
let n255 = (n251 * n158);
let n256 = (n252 * n158);
let n257 = (n253 * n158);
let n258 = n171[n107];
let n259 = (n254 * n258);
let n260 = n171[n109];
let n261 = (n255 * n260);
let n262 = n171[n111];
let n263 = (n256 * n262);
let n264 = n171[n113];
let n265 = (n257 * n264);
if (n9 && n103) {
n179[n105] = vec4<f32>(n254, n255, n256, n257);
n180[n105] = vec4<f32>(n259, n261, n263, n265);
}
let n266 = n161[n122];
let n267 = n266.x;
let n268 = n266.y;
let n269 = n266.z;
let n270 = n266.w;
let n271 = (n267 * n158);
let n272 = (n268 * n158);
let n273 = (n269 * n158);
let n274 = (n270 * n158);
let n275 = n171[n124];
let n276 = (n271 * n275);
let n277 = n171[n126];
let n278 = (n272 * n277);
let n279 = n171[n128];
let n280 = (n273 * n279);
let n281 = n171[n130];
let n282 = (n274 * n281);
if (n9 && n120) {
n179[n122] = vec4<f32>(n271, n272, n273, n274);
n180[n122] = vec4<f32>(n276, n278, n280, n282);
}
let n283 = n161[n139];
let n284 = n283.x;
let n285 = n283.y;
let n286 = n283.z;
let n287 = n283.w;
let n288 = (n284 * n158);
let n289 = (n285 * n158);
let n290 = (n286 * n158);
let n291 = (n287 * n158);
let n292 = n171[n141];
let n293 = (n288 * n292);
let n294 = n171[n143];
let n295 = (n289 * n294);
let n296 = n171[n145];
let n297 = (n290 * n296);
let n298 = n171[n147];
let n299 = (n291 * n298);
if (n9 && n137) {
n179[n139] = vec4<f32>(n288, n289, n290, n291);
n180[n139] = vec4<f32>(n293, n295, n297, n299);
}
if (n7 == 0u && n9) {
n300[n10] = n158;
n301[n10] = n159;
}
}
// 9cd884441190
fn n0(n1: f32) -> f32 {
let z = n1 * n1;
return fma(n1 * z, fma(fma(-0.000195108383, z, 0.00833213143), z, -0.166666538), n1);
}
// 9cf13baa6070
fn n0(n1: f32) -> f32 {
var n2 = fma(0.00019915044, n1, 0.00139420677);
n2 = fma(n2, n1, 0.00833327137);
n2 = fma(n2, n1, 0.0416663401);
n2 = fma(n2, n1, 0.166666672);
n2 = fma(n2, n1, 0.5);
return fma(n1 * n1, n2, n1);
}
// 9d3c82ba3e8a
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 9>;
// 9d6e708b9357
fn n0(n1: n2, n3: u32, n4: u32, n5: u32) -> vec4<n6> {
if (n7 < n8 * n9 && n5 >= n7) { return vec4<n6>(); }
if (n10) { return n11(n1, n3 + n5 / (n12 / 4u), n4 + 4u * (n5 % (n12 / 4u))); }
return n11(n1, n3 + 4u * (n5 % n13), n4 + n5 / n13);
}
// 9d92b4a63913
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
if (n3 < n7[0].y && (n4 + 0u) < n7[0].w) { let n8 = n1.n9 + n3 * n7[1].x + (n4 + 0u) * n7[1].y; n6.x = n10[n8]; }
if (n3 < n7[0].y && (n4 + 1u) < n7[0].w) { let n11 = n1.n9 + n3 * n7[1].x + (n4 + 1u) * n7[1].y; n6.y = n10[n11]; }
if (n3 < n7[0].y && (n4 + 2u) < n7[0].w) { let n12 = n1.n9 + n3 * n7[1].x + (n4 + 2u) * n7[1].y; n6.z = n10[n12]; }
if (n3 < n7[0].y && (n4 + 3u) < n7[0].w) { let n13 = n1.n9 + n3 * n7[1].x + (n4 + 3u) * n7[1].y; n6.w = n10[n13]; }
return n6;
}
// 9dc2cd5544db
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 16u;
let n8 = (n1.y * n2.x + n1.x) * 8u + n3 / 16u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 16u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n10 / n5[1].z;
let n25 = n24 / n5[1].x;
let n26 = (n10 - n24 * n5[1].z) * n5[1].w + (n24 - n25 * n5[1].x) * n5[1].y + n25 * n5[0].w + n17;
let n27 = n28[n26];
let n29 = n10 / n5[3].w;
let n30 = n29 / n5[3].y;
let n31 = (n10 - n29 * n5[3].w) * n5[4].x + (n29 - n30 * n5[3].y) * n5[3].z + n30 * n5[3].x + n17;
let n32 = n33[n31];
let n34 = (n27 * n32);
n13 = (n13 + n34);
let n35 = n10 / n5[1].z;
let n36 = n35 / n5[1].x;
let n37 = (n10 - n35 * n5[1].z) * n5[1].w + (n35 - n36 * n5[1].x) * n5[1].y + n36 * n5[0].w + n19;
let n38 = n28[n37];
let n39 = n10 / n5[3].w;
let n40 = n39 / n5[3].y;
let n41 = (n10 - n39 * n5[3].w) * n5[4].x + (n39 - n40 * n5[3].y) * n5[3].z + n40 * n5[3].x + n19;
let n42 = n33[n41];
let n43 = (n38 * n42);
n13 = (n13 + n43);
let n44 = n10 / n5[1].z;
let n45 = n44 / n5[1].x;
let n46 = (n10 - n44 * n5[1].z) * n5[1].w + (n44 - n45 * n5[1].x) * n5[1].y + n45 * n5[0].w + n21;
let n47 = n28[n46];
let n48 = n10 / n5[3].w;
let n49 = n48 / n5[3].y;
let n50 = (n10 - n48 * n5[3].w) * n5[4].x + (n48 - n49 * n5[3].y) * n5[3].z + n49 * n5[3].x + n21;
let n51 = n33[n50];
let n52 = (n47 * n51);
n13 = (n13 + n52);
let n53 = n10 / n5[1].z;
let n54 = n53 / n5[1].x;
let n55 = (n10 - n53 * n5[1].z) * n5[1].w + (n53 - n54 * n5[1].x) * n5[1].y + n54 * n5[0].w + n23;
let n56 = n28[n55];
let n57 = n10 / n5[3].w;
let n58 = n57 / n5[3].y;
let n59 = (n10 - n57 * n5[3].w) * n5[4].x + (n57 - n58 * n5[3].y) * n5[3].z + n58 * n5[3].x + n23;
let n60 = n33[n59];
let n61 = (n56 * n60);
n13 = (n13 + n61);
}
n62[n3] = n13;
workgroupBarrier();
for (var n63 = 8u; n63 > 0u; n63 >>= 1u) {
if (n7 < n63) { n62[n3] = (n62[n3] + n62[n3 + n63]); }
workgroupBarrier();
}
let n64 = n62[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n65[n10] = n64;
}
}
// 9de15ff2519e
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = group.z * n4.n5 + group.y;
if (n3 >= n4.n6) { return; }
let n7 = (n4.n8 - 1u - group.x) * n9;
let n10 = n3 / n4.n11;
let n12 = n3 % n4.n11;
let n13 = n14(n10, n12);
let n15 = n16(n10, n12 / n4.group);
let n17 = n18(n10, n12 / n4.group);
let n19 = n2 / n20;
let n21 = n2 % n20;
let n22 = n19 / n23 * n24;
let n25 = n19 % n23;
let n26 = n22 * n27 + n25 * (n28 / n23 / 4u);
let n29 = n30(n10);
let n31 = max(n29, 1u) - 1u;
let n32 = n33(n10);
let n34 = max(i32(n7) + n32 - n4.n35, 0) / i32(n28) * i32(n28);
let n36 = min(i32(n7 + n9 - 1u) + n32 + n4.n37, i32(n29) - 1);
var n38: array<vec4<f16>, n39>;
var n40: array<vec4<f16>, n39>;
for (var n41 = 0u; n41 < n39; n41++) {
n38[n41] = n42(n15, n10, n31, u32(n34), n2 + n41 * n0);
n40[n41] = n43(n17, n10, n31, u32(n34), n2 + n41 * n0);
}
for (var n44 = n2; n44 < n9 * n28 / 4u; n44 += n0) {
let n45 = n44 / (n28 / 4u);
let n46 = n44 % (n28 / 4u);
n47[n45 * n27 + n46] = n48[n49(n13, n10, min(n7 + n45, n4.n50 - 1u)) + 0u + n46];
}
workgroupBarrier();
let n51 = coopLoadT<n52>(&n47[(n22 + 0u) * n27 + 0u], n27);
let n53 = coopLoadT<n52>(&n47[(n22 + 16u) * n27 + 0u], n27);
let n54 = coopLoadT<n52>(&n47[(n22 + 0u) * n27 + 4u], n27);
let n55 = coopLoadT<n52>(&n47[(n22 + 16u) * n27 + 4u], n27);
workgroupBarrier();
for (var n44 = n2; n44 < n9 * n28 / 4u; n44 += n0) {
let n45 = n44 / (n28 / 4u);
let n46 = n44 % (n28 / 4u);
n47[n45 * n27 + n46] = n48[n49(n13, n10, min(n7 + n45, n4.n50 - 1u)) + 8u + n46];
}
workgroupBarrier();
let n56 = coopLoadT<n52>(&n47[(n22 + 0u) * n27 + 0u], n27);
let n57 = coopLoadT<n52>(&n47[(n22 + 16u) * n27 + 0u], n27);
let n58 = coopLoadT<n52>(&n47[(n22 + 0u) * n27 + 4u], n27);
let n59 = coopLoadT<n52>(&n47[(n22 + 16u) * n27 + 4u], n27);
workgroupBarrier();
var n60 = n61();
var n62 = n61();
var n63 = n61();
var n64 = n61();
var n65 = n66;
var n67 = 0.0;
let n68 = n2 / n69;
let n70 = n2 % n69;
for (var n41 = 0u; n41 < n39; n41++) { n71[n72(n2 + n41 * n0)] = n38[n41]; }
if (n2 == 0u) { n73.x = 0u; }
workgroupBarrier();
for (var n41 = 0u; n41 < n39; n41++) { n38[n41] = n42(n15, n10, n31, u32(n34) + n28, n2 + n41 * n0); }
{
var n74 = n61();
var n75 = n61();
let n76 = coopLoad<n77>(&n71[n25 * n78 * n79 + 0u], n79);
n74 = coopMultiplyAdd(n51, n76, n74);
n75 = coopMultiplyAdd(n53, n76, n75);
let n80 = coopLoad<n77>(&n71[n25 * n78 * n79 + 4u], n79);
n74 = coopMultiplyAdd(n54, n80, n74);
n75 = coopMultiplyAdd(n55, n80, n75);
let n81 = coopLoad<n77>(&n71[n25 * n78 * n79 + 8u], n79);
n74 = coopMultiplyAdd(n56, n81, n74);
n75 = coopMultiplyAdd(n57, n81, n75);
let n82 = coopLoad<n77>(&n71[n25 * n78 * n79 + 12u], n79);
n74 = coopMultiplyAdd(n58, n82, n74);
n75 = coopMultiplyAdd(n59, n82, n75);
let n83 = n26 + 0u * n27;
coopStoreT(n74, &n84[n83], n27);
let n85 = n26 + 16u * n27;
coopStoreT(n75, &n84[n85], n27);
}
workgroupBarrier();
for (var n86 = n34; n86 <= n36; n86 += i32(n28)) {
let n87 = u32(n86);
var x: array<vec4<f32>, n88>;
for (var n41 = 0u; n41 < n88; n41++) { x[n41] = n84[n68 * n27 + n70 + n41 * n69]; }
for (var n41 = 0u; n41 < n39; n41++) {
let n44 = n2 + n41 * n0;
n71[n72(n44)] = n38[n41];
n89[n72(n44)] = n40[n41];
}
if (n90 || n87 + n28 > n29 || n86 + i32(n28) - 1 > i32(n7) + n32 + n4.n37 ||
n86 < i32(n7 + n9 - 1u) + n32 - n4.n35) {
for (var n41 = 0u; n41 < n88; n41++) {
x[n41] = n91(x[n41], n10, n12, n7 + n68, n87 + 4u * (n70 + n41 * n69));
}
} else {
for (var n41 = 0u; n41 < n88; n41++) { x[n41] *= n4.n92; }
}
var n93 = n66;
for (var n41 = 0u; n41 < n88; n41++) { n93 = max(n93, max(max(x[n41].x, x[n41].y), max(x[n41].z, x[n41].w))); }
for (var step = 1u; step < n69; step *= 2u) { n93 = max(n93, subgroupShuffleXor(n93, step)); }
var n94 = 1.0;
if (n93 > n65 + n95) {
n94 = n96(n65 - n93);
n67 *= n94;
n65 = n93;
n73.x = n87 + 1u;
}
if (n70 == 0u) { n97[n68 / 4u][n68 % 4u] = n94; }
for (var n41 = 0u; n41 < n88; n41++) {
let n98 = select(exp2(x[n41] - n65), vec4<f32>(), x[n41] == vec4<f32>(n66));
n67 += (n98.x + n98.y) + (n98.z + n98.w);
n47[n68 * n27 + n70 + n41 * n69] = vec4<f16>(n98);
}
workgroupBarrier();
for (var n99 = n73.x == n87 + 1u && n86 != n34; n99; n99 = false) {
coopStoreT(n60, &n84[n26], n27);
workgroupBarrier();
n100(n26, n22 + 0u, n21);
workgroupBarrier();
n60 = coopLoadT<n61>(&n84[n26], n27);
workgroupBarrier();
coopStoreT(n62, &n84[n26], n27);
workgroupBarrier();
n100(n26, n22 + 0u, n21);
workgroupBarrier();
n62 = coopLoadT<n61>(&n84[n26], n27);
workgroupBarrier();
coopStoreT(n63, &n84[n26], n27);
workgroupBarrier();
n100(n26, n22 + 16u, n21);
workgroupBarrier();
n63 = coopLoadT<n61>(&n84[n26], n27);
workgroupBarrier();
coopStoreT(n64, &n84[n26], n27);
workgroupBarrier();
n100(n26, n22 + 16u, n21);
workgroupBarrier();
n64 = coopLoadT<n61>(&n84[n26], n27);
workgroupBarrier();
}
for (var n41 = 0u; n41 < n39; n41++) {
let n44 = n2 + n41 * n0;
n38[n41] = n42(n15, n10, n31, n87 + 2u * n28, n44);
n40[n41] = n43(n17, n10, n31, n87 + n28, n44);
}
{
let n101 = coopLoadT<n52>(&n47[(n22 + 0u) * n27 + 0u], n27);
let n102 = coopLoadT<n52>(&n47[(n22 + 16u) * n27 + 0u], n27);
let n103 = coopLoadT<n77>(&n89[0u * n79 + n25 * 8u + 0u], n79);
n60 = coopMultiplyAdd(n101, n103, n60);
n63 = coopMultiplyAdd(n102, n103, n63);
let n104 = coopLoadT<n77>(&n89[0u * n79 + n25 * 8u + 4u], n79);
n62 = coopMultiplyAdd(n101, n104, n62);
n64 = coopMultiplyAdd(n102, n104, n64);
let n105 = coopLoadT<n52>(&n47[(n22 + 0u) * n27 + 4u], n27);
let n106 = coopLoadT<n52>(&n47[(n22 + 16u) * n27 + 4u], n27);
let n107 = coopLoadT<n77>(&n89[16u * n79 + n25 * 8u + 0u], n79);
n60 = coopMultiplyAdd(n105, n107, n60);
n63 = coopMultiplyAdd(n106, n107, n63);
let n108 = coopLoadT<n77>(&n89[16u * n79 + n25 * 8u + 4u], n79);
n62 = coopMultiplyAdd(n105, n108, n62);
n64 = coopMultiplyAdd(n106, n108, n64);
var n74 = n61();
var n75 = n61();
let n76 = coopLoad<n77>(&n71[n25 * n78 * n79 + 0u], n79);
n74 = coopMultiplyAdd(n51, n76, n74);
n75 = coopMultiplyAdd(n53, n76, n75);
let n80 = coopLoad<n77>(&n71[n25 * n78 * n79 + 4u], n79);
n74 = coopMultiplyAdd(n54, n80, n74);
n75 = coopMultiplyAdd(n55, n80, n75);
let n81 = coopLoad<n77>(&n71[n25 * n78 * n79 + 8u], n79);
n74 = coopMultiplyAdd(n56, n81, n74);
n75 = coopMultiplyAdd(n57, n81, n75);
let n82 = coopLoad<n77>(&n71[n25 * n78 * n79 + 12u], n79);
n74 = coopMultiplyAdd(n58, n82, n74);
n75 = coopMultiplyAdd(n59, n82, n75);
let n83 = n26 + 0u * n27;
coopStoreT(n74, &n84[n83], n27);
let n85 = n26 + 16u * n27;
coopStoreT(n75, &n84[n85], n27);
}
workgroupBarrier();
}
for (var step = 1u; step < n69; step *= 2u) { n67 += subgroupShuffleXor(n67, step); }
let n109 = n67 == 0.0;
if (n70 == 0u) {
n97[n68 / 4u][n68 % 4u] = select(1.0 / n67, 0.0, n109);
if (n7 + n68 < n4.n50) { n110[n3 * n4.n50 + n7 + n68] = select(n65 + log2(n67), n66, n109); }
}
workgroupBarrier();
let n111 = n4.n50 - n7;
let n112 = n113(n10, n12, n7);
coopStoreT(n60, &n84[n26], n27);
workgroupBarrier();
n114(n26, n22 + 0u, n25 * 8u + 0u, n112, n111, n21);
workgroupBarrier();
coopStoreT(n62, &n84[n26], n27);
workgroupBarrier();
n114(n26, n22 + 0u, n25 * 8u + 4u, n112, n111, n21);
workgroupBarrier();
coopStoreT(n63, &n84[n26], n27);
workgroupBarrier();
n114(n26, n22 + 16u, n25 * 8u + 0u, n112, n111, n21);
workgroupBarrier();
coopStoreT(n64, &n84[n26], n27);
workgroupBarrier();
n114(n26, n22 + 16u, n25 * 8u + 4u, n112, n111, n21);
workgroupBarrier();
}
// 9e2c1134564d
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
var n14: f32 = f32(0);
for (var n15 = n7; n15 < n11; n15 += 32u) {
let n16 = n12 + n15;
let n17 = 4u * n16 + 0u;
let n18 = 4u * n15 + 0u;
let n19 = 4u * n16 + 1u;
let n20 = 4u * n15 + 1u;
let n21 = 4u * n16 + 2u;
let n22 = 4u * n15 + 2u;
let n23 = 4u * n16 + 3u;
let n24 = 4u * n15 + 3u;
let n25 = n26[n16];
let n27 = n25.x;
let n28 = n25.y;
let n29 = n25.z;
let n30 = n25.w;
let n31 = (n27 * n13);
n14 = (n14 + n31);
let n32 = (n28 * n13);
n14 = (n14 + n32);
let n33 = (n29 * n13);
n14 = (n14 + n33);
let n34 = (n30 * n13);
n14 = (n14 + n34);
if (n9) {
n35[n16] = vec4<f32>(n31, n32, n33, n34);
}
}
let n36 = subgroupAdd(n14);
let n37 = n36;
if (n7 == 0u && n9) {
n38[n10] = n37;
}
}
// 9e3325cb7665
const n0: u32 = n1 * n2 / n3;
// 9f9e44db5afa
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// a024579ca0c0
fn n0(n1: u32) {
let n2 = n3[5].y - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 + n3[6].x;
let n9 = n10[n8];
let n11 = n5 + n3[6].x;
let n12 = n10[n11];
let n13 = n6 + n3[6].x;
let n14 = n10[n13];
let n15 = n7 + n3[6].x;
let n16 = n10[n15];
n17[n1] = vec4<f32>(n9, n12, n14, n16);
}
// a15ecccf4a7e
@group(0) @binding(1) var<storage, read_write> n0: array<vec4<f32>>;
// a16179c8435a
@group(0) @binding(0) var<storage, read> n0: array<i32>;
// a1d100882b88
const n0 = 8u;
// a1dfa06317df
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = n7 + 128u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n29[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n15 = (n15 + select(f32(0), n47, n35));
n15 = (n15 + select(f32(0), n48, n35));
n15 = (n15 + select(f32(0), n49, n35));
n15 = (n15 + select(f32(0), n50, n35));
n51[n3] = n15;
workgroupBarrier();
for (var n52 = 64u; n52 > 0u; n52 >>= 1u) {
if (n7 < n52) { n51[n3] = (n51[n3] + n51[n3 + n52]); }
workgroupBarrier();
}
let n53 = n51[n3 - n7];
workgroupBarrier();
let n54 = n55(n53, n13);
var n56: f32 = f32(0);
let n57 = (n30 - n54);
let n58 = (n57 * n57);
n56 = (n56 + select(f32(0), n58, n17));
let n59 = (n31 - n54);
let n60 = (n59 * n59);
n56 = (n56 + select(f32(0), n60, n17));
let n61 = (n32 - n54);
let n62 = (n61 * n61);
n56 = (n56 + select(f32(0), n62, n17));
let n63 = (n33 - n54);
let n64 = (n63 * n63);
n56 = (n56 + select(f32(0), n64, n17));
let n65 = (n47 - n54);
let n66 = (n65 * n65);
n56 = (n56 + select(f32(0), n66, n35));
let n67 = (n48 - n54);
let n68 = (n67 * n67);
n56 = (n56 + select(f32(0), n68, n35));
let n69 = (n49 - n54);
let n70 = (n69 * n69);
n56 = (n56 + select(f32(0), n70, n35));
let n71 = (n50 - n54);
let n72 = (n71 * n71);
n56 = (n56 + select(f32(0), n72, n35));
n51[n3] = n56;
workgroupBarrier();
for (var n52 = 64u; n52 > 0u; n52 >>= 1u) {
if (n7 < n52) { n51[n3] = (n51[n3] + n51[n3 + n52]); }
workgroupBarrier();
}
let n73 = n51[n3 - n7];
workgroupBarrier();
let n74 = n55(n73, n13);
let n75 = (n74 + n14);
let n76 = inverseSqrt(n75);
let n77 = (n57 * n76);
let n78 = n79[n21];
let n80 = (n77 * n78);
let n81 = n82[n21];
let n83 = (n80 + n81);
let n84 = (n59 * n76);
let n85 = n79[n23];
let n86 = (n84 * n85);
let n87 = n82[n23];
let n88 = (n86 + n87);
let n89 = (n61 * n76);
let n90 = n79[n25];
let n91 = (n89 * n90);
let n92 = n82[n25];
let n93 = (n91 + n92);
let n94 = (n63 * n76);
let n95 = n79[n27];
let n96 = (n94 * n95);
let n97 = n82[n27];
let n98 = (n96 + n97);
if (n9 && n17) {
n99[n19] = vec4<f32>(n83, n88, n93, n98);
}
let n100 = (n65 * n76);
let n101 = n79[n39];
let n102 = (n100 * n101);
let n103 = n82[n39];
let n104 = (n102 + n103);
let n105 = (n67 * n76);
let n106 = n79[n41];
let n107 = (n105 * n106);
let n108 = n82[n41];
let n109 = (n107 + n108);
let n110 = (n69 * n76);
let n111 = n79[n43];
let n112 = (n110 * n111);
let n113 = n82[n43];
let n114 = (n112 + n113);
let n115 = (n71 * n76);
let n116 = n79[n45];
let n117 = (n115 * n116);
let n118 = n82[n45];
let n119 = (n117 + n118);
if (n9 && n35) {
n99[n37] = vec4<f32>(n104, n109, n114, n119);
}
}
// a2b3c31960b0
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n18 + n3.x);
let n23 = (n19 + n3.y);
let n24 = (n20 + n3.z);
let n25 = (n21 + n3.w);
n26[n7] = vec4<f32>(n22, n23, n24, n25);
}
// a30290c21798
const n0: u32 = n1 / 4u;
// a53edc274d92
@group(0) @binding(2) var<storage, read_write> n0: array<f16>;
// a56cad1a9832
fn n0() -> f32 {
return n1(0x7f800000u);
}
// a5a5dcaa1737
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let group = n1.y * n2.x + n1.x;
let n4 = group * 256u + n3;
if (4u * n4 < n5[0].x) { n6(n4); }
}
// a675b574a8e5
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
let n9 = vec4<f32>(n10[n7]);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// a733650bf1db
var<workgroup> n0: array<vec4<n1>, n2 / n3 * n4 * n5>;
// a7b73fbcb9c7
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[2u * n1];
let n5 = n4[2u * n1 + 1u];
let n6 = n7((n3 >> 0u) & 0xffffu);
let n8 = n7((n3 >> 16u) & 0xffffu);
let n9 = n7((n5 >> 0u) & 0xffffu);
let n10 = n7((n5 >> 16u) & 0xffffu);
let n11 = n6;
let n12 = n2 + 1u;
let n13 = n8;
let n14 = n2 + 2u;
let n15 = n9;
let n16 = n2 + 3u;
let n17 = n10;
return vec4<f32>(n11, n13, n15, n17);
}
// a80ba25ed47e
@group(0) @binding(9) var<uniform> n0: array<vec4<u32>, 7>;
// a852a001ee5a
@group(0) @binding(4) var<storage, read> n0: array<vec4<f32>>;
// a89ea7a6853c
@group(0) @binding(3) var<storage, read_write> n0: array<vec2<u32>>;
// a97099961288
@group(0) @binding(5) var<storage, read_write> n0: array<atomic<u32>>;
// a9b7f35f365b
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n3.x * n18);
let n23 = (n3.y * n19);
let n24 = (n3.z * n20);
let n25 = (n3.w * n21);
n26[n7] = vec4<f32>(n22, n23, n24, n25);
}
// a9be744d3cdc
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
n38[n3] = n15;
workgroupBarrier();
for (var n39 = 16u; n39 > 0u; n39 >>= 1u) {
if (n7 < n39) { n38[n3] = (n38[n3] + n38[n3 + n39]); }
workgroupBarrier();
}
let n40 = n38[n3 - n7];
workgroupBarrier();
let n41 = (n40 * n13);
let n42 = (n41 + n14);
let n43 = sqrt(n42);
let n44 = n45(n30, n43);
let n46 = n47[n21];
let n48 = (n44 * n46);
let n49 = n45(n31, n43);
let n50 = n47[n23];
let n51 = (n49 * n50);
let n52 = n45(n32, n43);
let n53 = n47[n25];
let n54 = (n52 * n53);
let n55 = n45(n33, n43);
let n56 = n47[n27];
let n57 = (n55 * n56);
if (n9 && n17) {
n58[n19] = vec4<f32>(n48, n51, n54, n57);
}
}
// aa4c61953c91
@group(0) @binding(0) var<storage, read> n0: array<vec4<f32>>;
// aaa2cbb1e87e
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[3].x) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[3].x + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[n7] = vec4<f32>(n3.x, n3.y, n3.z, n3.w);
}
// ab71e8b870c0
const n0 = 16u;
// ab9f57f12a80
@group(0) @binding(10) var<uniform> n0: array<vec4<u32>, 13>;
// abaa13e3131e
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].w);
let n14 = n15[n10];
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = n34[n24];
let n35 = n33.x;
let n36 = n33.y;
let n37 = n33.z;
let n38 = n33.w;
n20 = (n20 + select(f32(0), n35, n22));
n20 = (n20 + select(f32(0), n36, n22));
n20 = (n20 + select(f32(0), n37, n22));
n20 = (n20 + select(f32(0), n38, n22));
let n39 = n7 + 32u;
let n40 = n39 < n11;
let n41 = min(n39, n11 - 1u);
let n42 = n12 + n41;
let n43 = 4u * n42 + 0u;
let n44 = 4u * n41 + 0u;
let n45 = 4u * n42 + 1u;
let n46 = 4u * n41 + 1u;
let n47 = 4u * n42 + 2u;
let n48 = 4u * n41 + 2u;
let n49 = 4u * n42 + 3u;
let n50 = 4u * n41 + 3u;
let n51 = n34[n42];
let n52 = n51.x;
let n53 = n51.y;
let n54 = n51.z;
let n55 = n51.w;
n20 = (n20 + select(f32(0), n52, n40));
n20 = (n20 + select(f32(0), n53, n40));
n20 = (n20 + select(f32(0), n54, n40));
n20 = (n20 + select(f32(0), n55, n40));
let n56 = n7 + 64u;
let n57 = n56 < n11;
let n58 = min(n56, n11 - 1u);
let n59 = n12 + n58;
let n60 = 4u * n59 + 0u;
let n61 = 4u * n58 + 0u;
let n62 = 4u * n59 + 1u;
let n63 = 4u * n58 + 1u;
let n64 = 4u * n59 + 2u;
let n65 = 4u * n58 + 2u;
let n66 = 4u * n59 + 3u;
let n67 = 4u * n58 + 3u;
let n68 = n34[n59];
let n69 = n68.x;
let n70 = n68.y;
let n71 = n68.z;
let n72 = n68.w;
n20 = (n20 + select(f32(0), n69, n57));
n20 = (n20 + select(f32(0), n70, n57));
n20 = (n20 + select(f32(0), n71, n57));
n20 = (n20 + select(f32(0), n72, n57));
let n73 = n7 + 96u;
let n74 = n73 < n11;
let n75 = min(n73, n11 - 1u);
let n76 = n12 + n75;
let n77 = 4u * n76 + 0u;
let n78 = 4u * n75 + 0u;
let n79 = 4u * n76 + 1u;
let n80 = 4u * n75 + 1u;
let n81 = 4u * n76 + 2u;
let n82 = 4u * n75 + 2u;
let n83 = 4u * n76 + 3u;
let n84 = 4u * n75 + 3u;
let n85 = n34[n76];
let n86 = n85.x;
let n87 = n85.y;
let n88 = n85.z;
let n89 = n85.w;
n20 = (n20 + select(f32(0), n86, n74));
n20 = (n20 + select(f32(0), n87, n74));
n20 = (n20 + select(f32(0), n88, n74));
n20 = (n20 + select(f32(0), n89, n74));
let n90 = n7 + 128u;
let n91 = n90 < n11;
let n92 = min(n90, n11 - 1u);
let n93 = n12 + n92;
let n94 = 4u * n93 + 0u;
let n95 = 4u * n92 + 0u;
let n96 = 4u * n93 + 1u;
let n97 = 4u * n92 + 1u;
let n98 = 4u * n93 + 2u;
let n99 = 4u * n92 + 2u;
let n100 = 4u * n93 + 3u;
let n101 = 4u * n92 + 3u;
let n102 = n34[n93];
let n103 = n102.x;
let n104 = n102.y;
let n105 = n102.z;
let n106 = n102.w;
n20 = (n20 + select(f32(0), n103, n91));
n20 = (n20 + select(f32(0), n104, n91));
n20 = (n20 + select(f32(0), n105, n91));
n20 = (n20 + select(f32(0), n106, n91));
let n107 = n7 + 160u;
let n108 = n107 < n11;
let n109 = min(n107, n11 - 1u);
let n110 = n12 + n109;
let n111 = 4u * n110 + 0u;
let n112 = 4u * n109 + 0u;
let n113 = 4u * n110 + 1u;
let n114 = 4u * n109 + 1u;
let n115 = 4u * n110 + 2u;
let n116 = 4u * n109 + 2u;
let n117 = 4u * n110 + 3u;
let n118 = 4u * n109 + 3u;
let n119 = n34[n110];
let n120 = n119.x;
let n121 = n119.y;
let n122 = n119.z;
let n123 = n119.w;
n20 = (n20 + select(f32(0), n120, n108));
n20 = (n20 + select(f32(0), n121, n108));
n20 = (n20 + select(f32(0), n122, n108));
n20 = (n20 + select(f32(0), n123, n108));
let n124 = n7 + 192u;
let n125 = n124 < n11;
let n126 = min(n124, n11 - 1u);
let n127 = n12 + n126;
let n128 = 4u * n127 + 0u;
let n129 = 4u * n126 + 0u;
let n130 = 4u * n127 + 1u;
let n131 = 4u * n126 + 1u;
let n132 = 4u * n127 + 2u;
let n133 = 4u * n126 + 2u;
let n134 = 4u * n127 + 3u;
let n135 = 4u * n126 + 3u;
let n136 = n34[n127];
let n137 = n136.x;
let n138 = n136.y;
let n139 = n136.z;
let n140 = n136.w;
n20 = (n20 + select(f32(0), n137, n125));
n20 = (n20 + select(f32(0), n138, n125));
n20 = (n20 + select(f32(0), n139, n125));
n20 = (n20 + select(f32(0), n140, n125));
let n141 = n7 + 224u;
let n142 = n141 < n11;
let n143 = min(n141, n11 - 1u);
let n144 = n12 + n143;
let n145 = 4u * n144 + 0u;
let n146 = 4u * n143 + 0u;
let n147 = 4u * n144 + 1u;
let n148 = 4u * n143 + 1u;
let n149 = 4u * n144 + 2u;
let n150 = 4u * n143 + 2u;
let n151 = 4u * n144 + 3u;
let n152 = 4u * n143 + 3u;
let n153 = n34[n144];
let n154 = n153.x;
let n155 = n153.y;
let n156 = n153.z;
let n157 = n153.w;
n20 = (n20 + select(f32(0), n154, n142));
n20 = (n20 + select(f32(0), n155, n142));
n20 = (n20 + select(f32(0), n156, n142));
n20 = (n20 + select(f32(0), n157, n142));
let n158 = subgroupAdd(n20);
let n159 = n158;
let n160 = (n159 * n13);
let n161 = (n160 * n14);
let n162 = (n161 * n16);
let n163 = n164(n162, n18);
let n165 = (n163 * n19);
let n166 = n167[n24];
let n168 = n166.x;
let n169 = n166.y;
let n170 = n166.z;
let n171 = n166.w;
let n172 = n173[n24];
let n174 = n172.x;
let n175 = n172.y;
let n176 = n172.z;
let n177 = n172.w;
let n178 = (n165 * n174);
let n179 = (n168 + n178);
let n180 = (n165 * n175);
let n181 = (n169 + n180);
let n182 = (n165 * n176);
let n183 = (n170 + n182);
let n184 = (n165 * n177);
let n185 = (n171 + n184);
if (n9 && n22) {
n186[n24] = vec4<f32>(n179, n181, n183, n185);
}
let n187 = n167[n42];
let n188 = n187.x;
let n189 = n187.y;
let n190 = n187.z;
let n191 = n187.w;
let n192 = n173[n42];
let n193 = n192.x;
let n194 = n192.y;
let n195 = n192.z;
let n196 = n192.w;
let n197 = (n165 * n193);
let n198 = (n188 + n197);
let n199 = (n165 * n194);
let n200 = (n189 + n199);
let n201 = (n165 * n195);
let n202 = (n190 + n201);
let n203 = (n165 * n196);
let n204 = (n191 + n203);
if (n9 && n40) {
n186[n42] = vec4<f32>(n198, n200, n202, n204);
}
let n205 = n167[n59];
let n206 = n205.x;
let n207 = n205.y;
let n208 = n205.z;
let n209 = n205.w;
let n210 = n173[n59];
let n211 = n210.x;
let n212 = n210.y;
let n213 = n210.z;
let n214 = n210.w;
let n215 = (n165 * n211);
let n216 = (n206 + n215);
let n217 = (n165 * n212);
let n218 = (n207 + n217);
let n219 = (n165 * n213);
let n220 = (n208 + n219);
let n221 = (n165 * n214);
let n222 = (n209 + n221);
if (n9 && n57) {
n186[n59] = vec4<f32>(n216, n218, n220, n222);
}
let n223 = n167[n76];
let n224 = n223.x;
let n225 = n223.y;
let n226 = n223.z;
let n227 = n223.w;
let n228 = n173[n76];
let n229 = n228.x;
let n230 = n228.y;
let n231 = n228.z;
let n232 = n228.w;
let n233 = (n165 * n229);
let n234 = (n224 + n233);
let n235 = (n165 * n230);
let n236 = (n225 + n235);
let n237 = (n165 * n231);
let n238 = (n226 + n237);
let n239 = (n165 * n232);
let n240 = (n227 + n239);
if (n9 && n74) {
n186[n76] = vec4<f32>(n234, n236, n238, n240);
}
let n241 = n167[n93];
let n242 = n241.x;
let n243 = n241.y;
let n244 = n241.z;
let n245 = n241.w;
let n246 = n173[n93];
let n247 = n246.x;
let n248 = n246.y;
let n249 = n246.z;
let n250 = n246.w;
let n251 = (n165 * n247);
let n252 = (n242 + n251);
let n253 = (n165 * n248);
let n254 = (n243 + n253);
let n255 = (n165 * n249);
let n256 = (n244 + n255);
let n257 = (n165 * n250);
let n258 = (n245 + n257);
if (n9 && n91) {
n186[n93] = vec4<f32>(n252, n254, n256, n258);
}
let n259 = n167[n110];
let n260 = n259.x;
let n261 = n259.y;
let n262 = n259.z;
let n263 = n259.w;
let n264 = n173[n110];
let n265 = n264.x;
let n266 = n264.y;
let n267 = n264.z;
let n268 = n264.w;
let n269 = (n165 * n265);
let n270 = (n260 + n269);
let n271 = (n165 * n266);
let n272 = (n261 + n271);
let n273 = (n165 * n267);
let n274 = (n262 + n273);
let n275 = (n165 * n268);
let n276 = (n263 + n275);
if (n9 && n108) {
n186[n110] = vec4<f32>(n270, n272, n274, n276);
}
let n277 = n167[n127];
let n278 = n277.x;
let n279 = n277.y;
let n280 = n277.z;
let n281 = n277.w;
let n282 = n173[n127];
let n283 = n282.x;
let n284 = n282.y;
let n285 = n282.z;
let n286 = n282.w;
let n287 = (n165 * n283);
let n288 = (n278 + n287);
let n289 = (n165 * n284);
let n290 = (n279 + n289);
let n291 = (n165 * n285);
let n292 = (n280 + n291);
let n293 = (n165 * n286);
let n294 = (n281 + n293);
if (n9 && n125) {
n186[n127] = vec4<f32>(n288, n290, n292, n294);
}
let n295 = n167[n144];
let n296 = n295.x;
let n297 = n295.y;
let n298 = n295.z;
let n299 = n295.w;
let n300 = n173[n144];
let n301 = n300.x;
let n302 = n300.y;
let n303 = n300.z;
let n304 = n300.w;
let n305 = (n165 * n301);
let n306 = (n296 + n305);
let n307 = (n165 * n302);
let n308 = (n297 + n307);
let n309 = (n165 * n303);
let n310 = (n298 + n309);
let n311 = (n165 * n304);
let n312 = (n299 + n311);
if (n9 && n142) {
n186[n144] = vec4<f32>(n306, n308, n310, n312);
}
}
// abcfcdc81d67
alias n0 = array<array<vec4<f32>, n1>, n2 * 4u>;
// abfaab12b264
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 64u;
let n18 = n16 % 2u * 64u;
let n19 = (n2 / 32u);
let n20 = n2 % 32u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + n19 * n25[1].y + n5) >> 2u) + n20;
let n26 = (4u * n25[1].y) >> 2u;
let n27 = (n2 / 32u);
let n28 = n2 % 32u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (4u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = n35();
var n40 = n35();
var n41 = n35();
var n42 = n35();
var n43 = n35();
var n44 = n35();
var n45 = n35();
var n46 = n35();
var n47 = n35();
var n48 = n35();
var n49 = n35();
var n50 = n35();
var n51 = vec4<n52>();
var n53 = vec4<n52>();
var n54 = vec4<n52>();
var n55 = vec4<n52>();
var n56 = vec4<n52>();
var n57 = vec4<n52>();
var n58 = vec4<n52>();
var n59 = vec4<n52>();
var n60 = vec4<n52>();
var n61 = vec4<n52>();
var n62 = vec4<n52>();
var n63 = vec4<n52>();
var n64 = vec4<n52>();
var n65 = vec4<n52>();
var n66 = vec4<n52>();
var n67 = vec4<n52>();
{
let n68 = select(0u, 0u, 0u < n9);
let n69 = n23 + n68 * (n25[1].y >> 2u);
n51 = n70[n69 + 0u * n26];
n53 = n70[n69 + 1u * n26];
n54 = n70[n69 + 2u * n26];
n55 = n70[n69 + 3u * n26];
n56 = n70[n69 + 4u * n26];
n57 = n70[n69 + 5u * n26];
n58 = n70[n69 + 6u * n26];
n59 = n70[n69 + 7u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
}
for (var n73 = 0u; n73 < n9; n73 += 1u * n74) {
{
n75[n21 + (0u * 4u) * n22] = n51;
n75[n21 + (1u * 4u) * n22] = n53;
n75[n21 + (2u * 4u) * n22] = n54;
n75[n21 + (3u * 4u) * n22] = n55;
n75[n21 + (4u * 4u) * n22] = n56;
n75[n21 + (5u * 4u) * n22] = n57;
n75[n21 + (6u * 4u) * n22] = n58;
n75[n21 + (7u * 4u) * n22] = n59;
n76[n29 + (0u * 4u) * n30] = n60;
n76[n29 + (1u * 4u) * n30] = n61;
n76[n29 + (2u * 4u) * n30] = n62;
n76[n29 + (3u * 4u) * n30] = n63;
n76[n29 + (4u * 4u) * n30] = n64;
n76[n29 + (5u * 4u) * n30] = n65;
n76[n29 + (6u * 4u) * n30] = n66;
n76[n29 + (7u * 4u) * n30] = n67;
workgroupBarrier();
let n77 = n73 + 1u * n74;
let n68 = select(0u, n77, n77 < n9);
let n69 = n23 + n68 * (n25[1].y >> 2u);
n51 = n70[n69 + 0u * n26];
n53 = n70[n69 + 1u * n26];
n54 = n70[n69 + 2u * n26];
n55 = n70[n69 + 3u * n26];
n56 = n70[n69 + 4u * n26];
n57 = n70[n69 + 5u * n26];
n58 = n70[n69 + 6u * n26];
n59 = n70[n69 + 7u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n79(n17 + 32u, 0u);
let n82 = n79(n17 + 48u, 0u);
let n83 = n84(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n78, n83, n34);
n39 = coopMultiplyAdd(n80, n83, n39);
n43 = coopMultiplyAdd(n81, n83, n43);
n47 = coopMultiplyAdd(n82, n83, n47);
let n85 = n84(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n78, n85, n36);
n40 = coopMultiplyAdd(n80, n85, n40);
n44 = coopMultiplyAdd(n81, n85, n44);
n48 = coopMultiplyAdd(n82, n85, n48);
let n86 = n84(n18 + 32u, 0u);
n37 = coopMultiplyAdd(n78, n86, n37);
n41 = coopMultiplyAdd(n80, n86, n41);
n45 = coopMultiplyAdd(n81, n86, n45);
n49 = coopMultiplyAdd(n82, n86, n49);
let n87 = n84(n18 + 48u, 0u);
n38 = coopMultiplyAdd(n78, n87, n38);
n42 = coopMultiplyAdd(n80, n87, n42);
n46 = coopMultiplyAdd(n81, n87, n46);
n50 = coopMultiplyAdd(n82, n87, n50);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n79(n17 + 32u, 16u);
let n82 = n79(n17 + 48u, 16u);
let n83 = n84(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n78, n83, n34);
n39 = coopMultiplyAdd(n80, n83, n39);
n43 = coopMultiplyAdd(n81, n83, n43);
n47 = coopMultiplyAdd(n82, n83, n47);
let n85 = n84(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n78, n85, n36);
n40 = coopMultiplyAdd(n80, n85, n40);
n44 = coopMultiplyAdd(n81, n85, n44);
n48 = coopMultiplyAdd(n82, n85, n48);
let n86 = n84(n18 + 32u, 16u);
n37 = coopMultiplyAdd(n78, n86, n37);
n41 = coopMultiplyAdd(n80, n86, n41);
n45 = coopMultiplyAdd(n81, n86, n45);
n49 = coopMultiplyAdd(n82, n86, n49);
let n87 = n84(n18 + 48u, 16u);
n38 = coopMultiplyAdd(n78, n87, n38);
n42 = coopMultiplyAdd(n80, n87, n42);
n46 = coopMultiplyAdd(n81, n87, n46);
n50 = coopMultiplyAdd(n82, n87, n50);
}
workgroupBarrier();
}
}
let n88 = n11 * n89 * n90;
let n91 = n88 + 0u;
coopStoreT(n34, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n36, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n37, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n38, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 0u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
coopStoreT(n39, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n40, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n41, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n42, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 16u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
coopStoreT(n43, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n44, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n45, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n46, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 32u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
coopStoreT(n47, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 0u, n88, n13);
workgroupBarrier();
coopStoreT(n48, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 16u, n88, n13);
workgroupBarrier();
coopStoreT(n49, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 32u, n88, n13);
workgroupBarrier();
coopStoreT(n50, &n92[n91], n90);
workgroupBarrier();
n93(n3.z, n5 + n17 + 48u, n6 + n18 + 48u, n88, n13);
workgroupBarrier();
}
// acb874375a44
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = vec4<f32>(n4[n1]);
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = n5;
let n10 = n2 + 1u;
let n11 = n6;
let n12 = n2 + 2u;
let n13 = n7;
let n14 = n2 + 3u;
let n15 = n8;
return vec4<f32>(n9, n11, n13, n15);
}
// acf096214602
@group(0) @binding(9) var<storage, read_write> n0: array<u32>;
// ad4ee95dc284
alias n0 = coop_mat16x16<n1, C>;
// ade5a1c9bd3a
@compute @workgroup_size(n0 * n1)
fn n2(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n3: u32) {
let n4 = n5(group);
let x = n3 % n0;
let y = n3 / n0;
let n6 = n4.x + 4u * x;
let n7 = n8(n4.z);
let n9 = n10();
var n11 = vec4<n12>();
for (var n13 = 4u * y; n13 < n9; n13 += 4u * n1 * n14) {
var n15: array<vec4<n12>, 4u * n14>;
for (var n16 = 0u; n16 < n14; n16++) {
for (var n17 = 0u; n17 < 4u; n17++) { n15[4u * n16 + n17] = n18(n7, n6, n13 + 4u * n1 * n16 + n17); }
}
for (var n16 = 0u; n16 < n14; n16++) {
let n19 = n20(n7, n4.y, n13 + 4u * n1 * n16);
for (var n17 = 0u; n17 < 4u; n17++) { n11 = n21(n19[n17], n15[4u * n16 + n17], n11); }
}
}
n22[n3] = n11;
workgroupBarrier();
for (var n23 = n1 / 2u; n23 > 0u; n23 /= 2u) {
if (y < n23) { n22[n3] += n22[n3 + n23 * n0]; }
workgroupBarrier();
}
if (y == 0u) { n24(n4.z, n4.y, n6, n22[x]); }
}
// adfa00d64d19
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = bitcast<f32>(n3[4].w);
let n16 = select(n15, n13, n11);
let n17 = n4 / n3[3].y;
let n18 = n4 - n17 * n3[3].y - n3[3].z;
let n19 = n17 - n3[2].w;
let n20 = n18 < n3[3].w && n19 < n3[3].x;
let n21 = select(0u, n18 + n19 * n3[3].w, n20);
let n22 = n23[n21];
let n24 = bitcast<f32>(n3[5].x);
let n25 = select(n24, n22, n20);
let n26 = (n16 + n25);
let n27 = n5 / n3[1].x;
let n28 = n5 - n27 * n3[1].x - n3[1].y;
let n29 = n27 - n3[0].z;
let n30 = n28 < n3[1].z && n29 < n3[0].w;
let n31 = select(0u, n28 + n29 * n3[1].z, n30);
let n32 = n14[n31];
let n33 = select(n15, n32, n30);
let n34 = n5 / n3[3].y;
let n35 = n5 - n34 * n3[3].y - n3[3].z;
let n36 = n34 - n3[2].w;
let n37 = n35 < n3[3].w && n36 < n3[3].x;
let n38 = select(0u, n35 + n36 * n3[3].w, n37);
let n39 = n23[n38];
let n40 = select(n24, n39, n37);
let n41 = (n33 + n40);
let n42 = n6 / n3[1].x;
let n43 = n6 - n42 * n3[1].x - n3[1].y;
let n44 = n42 - n3[0].z;
let n45 = n43 < n3[1].z && n44 < n3[0].w;
let n46 = select(0u, n43 + n44 * n3[1].z, n45);
let n47 = n14[n46];
let n48 = select(n15, n47, n45);
let n49 = n6 / n3[3].y;
let n50 = n6 - n49 * n3[3].y - n3[3].z;
let n51 = n49 - n3[2].w;
let n52 = n50 < n3[3].w && n51 < n3[3].x;
let n53 = select(0u, n50 + n51 * n3[3].w, n52);
let n54 = n23[n53];
let n55 = select(n24, n54, n52);
let n56 = (n48 + n55);
let n57 = n7 / n3[1].x;
let n58 = n7 - n57 * n3[1].x - n3[1].y;
let n59 = n57 - n3[0].z;
let n60 = n58 < n3[1].z && n59 < n3[0].w;
let n61 = select(0u, n58 + n59 * n3[1].z, n60);
let n62 = n14[n61];
let n63 = select(n15, n62, n60);
let n64 = n7 / n3[3].y;
let n65 = n7 - n64 * n3[3].y - n3[3].z;
let n66 = n64 - n3[2].w;
let n67 = n65 < n3[3].w && n66 < n3[3].x;
let n68 = select(0u, n65 + n66 * n3[3].w, n67);
let n69 = n23[n68];
let n70 = select(n24, n69, n67);
let n71 = (n63 + n70);
n72[n1] = vec4<f32>(n26, n41, n56, n71);
}
// ae37395ac1e8
alias n0 = coop_mat16x16<f16, A>;
// ae513e87aff0
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 4u * 16u;
let n18 = n16 % 4u * 16u;
let n19 = (n2 / 16u);
let n20 = n2 % 16u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (8u * n25[1].x) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (8u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = vec4<n37>();
var n38 = vec4<n37>();
var n39 = vec4<n37>();
var n40 = vec4<n37>();
var n41 = vec4<n37>();
var n42 = vec4<n37>();
var n43 = vec4<n37>();
var n44 = vec4<n37>();
var n45 = vec4<n37>();
var n46 = vec4<n37>();
{
let n47 = select(0u, 0u, 0u < n9);
let n48 = n23 + (n47 >> 2u);
n36 = n49[n48 + 0u * n26];
n38 = n49[n48 + 1u * n26];
let n50 = n31 + n47 * (n25[1].w >> 2u);
n39 = n51[n50 + 0u * n33];
n40 = n51[n50 + 1u * n33];
n41 = n51[n50 + 2u * n33];
n42 = n51[n50 + 3u * n33];
n43 = n51[n50 + 4u * n33];
n44 = n51[n50 + 5u * n33];
n45 = n51[n50 + 6u * n33];
n46 = n51[n50 + 7u * n33];
}
for (var n52 = 0u; n52 < n9; n52 += 1u * n53) {
{
n54[n21 + (0u * 8u) * n22] = n36;
n54[n21 + (1u * 8u) * n22] = n38;
n55[n29 + (0u * 8u) * n30] = n39;
n55[n29 + (1u * 8u) * n30] = n40;
n55[n29 + (2u * 8u) * n30] = n41;
n55[n29 + (3u * 8u) * n30] = n42;
n55[n29 + (4u * 8u) * n30] = n43;
n55[n29 + (5u * 8u) * n30] = n44;
n55[n29 + (6u * 8u) * n30] = n45;
n55[n29 + (7u * 8u) * n30] = n46;
workgroupBarrier();
let n56 = n52 + 1u * n53;
let n47 = select(0u, n56, n56 < n9);
let n48 = n23 + (n47 >> 2u);
n36 = n49[n48 + 0u * n26];
n38 = n49[n48 + 1u * n26];
let n50 = n31 + n47 * (n25[1].w >> 2u);
n39 = n51[n50 + 0u * n33];
n40 = n51[n50 + 1u * n33];
n41 = n51[n50 + 2u * n33];
n42 = n51[n50 + 3u * n33];
n43 = n51[n50 + 4u * n33];
n44 = n51[n50 + 5u * n33];
n45 = n51[n50 + 6u * n33];
n46 = n51[n50 + 7u * n33];
{
let n57 = n58(n17 + 0u, 0u);
let n59 = n60(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n57, n59, n34);
}
{
let n57 = n58(n17 + 0u, 16u);
let n59 = n60(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n57, n59, n34);
}
{
let n57 = n58(n17 + 0u, 32u);
let n59 = n60(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n57, n59, n34);
}
{
let n57 = n58(n17 + 0u, 48u);
let n59 = n60(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n57, n59, n34);
}
workgroupBarrier();
}
}
let n61 = n11 * n62 * n63;
let n64 = n61 + 0u;
coopStoreT(n34, &n65[n64], n63);
workgroupBarrier();
n66(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n61, n13);
workgroupBarrier();
}
// ae61eb1ce8b6
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 5>;
// afe62ffaf8a3
@group(0) @binding(1) var<uniform> n0: array<vec4<u32>, 9>;
// b08838762f4d
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n35[n3 / 32u] = n34; }
workgroupBarrier();
let n36 = (n3 - n7) / 32u;
var n37 = n35[n36];
for (var n38 = 1u; n38 < 4u; n38++) { n37 = (n37 + n35[n36 + n38]); }
let n39 = n37;
workgroupBarrier();
let n40 = n41(n39, n13);
var n42: f32 = f32(0);
let n43 = (n30 - n40);
let n44 = (n43 * n43);
n42 = (n42 + select(f32(0), n44, n17));
let n45 = (n31 - n40);
let n46 = (n45 * n45);
n42 = (n42 + select(f32(0), n46, n17));
let n47 = (n32 - n40);
let n48 = (n47 * n47);
n42 = (n42 + select(f32(0), n48, n17));
let n49 = (n33 - n40);
let n50 = (n49 * n49);
n42 = (n42 + select(f32(0), n50, n17));
let n51 = subgroupAdd(n42);
if (n3 % 32u == 0u) { n35[n3 / 32u] = n51; }
workgroupBarrier();
let n52 = (n3 - n7) / 32u;
var n53 = n35[n52];
for (var n38 = 1u; n38 < 4u; n38++) { n53 = (n53 + n35[n52 + n38]); }
let n54 = n53;
workgroupBarrier();
let n55 = n41(n54, n13);
let n56 = (n55 + n14);
let n57 = inverseSqrt(n56);
let n58 = (n43 * n57);
let n59 = n60[n21];
let n61 = (n58 * n59);
let n62 = n63[n21];
let n64 = (n61 + n62);
let n65 = (n45 * n57);
let n66 = n60[n23];
let n67 = (n65 * n66);
let n68 = n63[n23];
let n69 = (n67 + n68);
let n70 = (n47 * n57);
let n71 = n60[n25];
let n72 = (n70 * n71);
let n73 = n63[n25];
let n74 = (n72 + n73);
let n75 = (n49 * n57);
let n76 = n60[n27];
let n77 = (n75 * n76);
let n78 = n63[n27];
let n79 = (n77 + n78);
if (n9 && n17) {
n80[n19] = vec4<f32>(n64, n69, n74, n79);
}
}
// b10acdeb2794
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15(n10);
let n16 = n17(n14);
let n18 = n19(n16);
let n20 = n15(n11);
let n21 = n17(n20);
let n22 = n19(n21);
let n23 = n15(n12);
let n24 = n17(n23);
let n25 = n19(n24);
let n26 = n15(n13);
let n27 = n17(n26);
let n28 = n19(n27);
n29[n1] = vec4<f32>(n18, n22, n25, n28);
}
// b17295d42d27
fn n0(x: n1, n2: u32) -> n1 {
let n3 = n2 & 31u;
let n4 = vec2<u32>(x.x << n3, (x.y << n3) | ((x.x >> 1u) >> (31u - n3)));
return select(n4, vec2<u32>(0u, x.x << n3), n2 >= 32u);
}
// b175b94b84c4
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = n7 + 32u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n29[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n15 = (n15 + select(f32(0), n47, n35));
n15 = (n15 + select(f32(0), n48, n35));
n15 = (n15 + select(f32(0), n49, n35));
n15 = (n15 + select(f32(0), n50, n35));
let n51 = n7 + 64u;
let n52 = n51 < n11;
let n53 = min(n51, n11 - 1u);
let n54 = n12 + n53;
let n55 = 4u * n54 + 0u;
let n56 = 4u * n53 + 0u;
let n57 = 4u * n54 + 1u;
let n58 = 4u * n53 + 1u;
let n59 = 4u * n54 + 2u;
let n60 = 4u * n53 + 2u;
let n61 = 4u * n54 + 3u;
let n62 = 4u * n53 + 3u;
let n63 = n29[n54];
let n64 = n63.x;
let n65 = n63.y;
let n66 = n63.z;
let n67 = n63.w;
n15 = (n15 + select(f32(0), n64, n52));
n15 = (n15 + select(f32(0), n65, n52));
n15 = (n15 + select(f32(0), n66, n52));
n15 = (n15 + select(f32(0), n67, n52));
let n68 = n7 + 96u;
let n69 = n68 < n11;
let n70 = min(n68, n11 - 1u);
let n71 = n12 + n70;
let n72 = 4u * n71 + 0u;
let n73 = 4u * n70 + 0u;
let n74 = 4u * n71 + 1u;
let n75 = 4u * n70 + 1u;
let n76 = 4u * n71 + 2u;
let n77 = 4u * n70 + 2u;
let n78 = 4u * n71 + 3u;
let n79 = 4u * n70 + 3u;
let n80 = n29[n71];
let n81 = n80.x;
let n82 = n80.y;
let n83 = n80.z;
let n84 = n80.w;
n15 = (n15 + select(f32(0), n81, n69));
n15 = (n15 + select(f32(0), n82, n69));
n15 = (n15 + select(f32(0), n83, n69));
n15 = (n15 + select(f32(0), n84, n69));
let n85 = n7 + 128u;
let n86 = n85 < n11;
let n87 = min(n85, n11 - 1u);
let n88 = n12 + n87;
let n89 = 4u * n88 + 0u;
let n90 = 4u * n87 + 0u;
let n91 = 4u * n88 + 1u;
let n92 = 4u * n87 + 1u;
let n93 = 4u * n88 + 2u;
let n94 = 4u * n87 + 2u;
let n95 = 4u * n88 + 3u;
let n96 = 4u * n87 + 3u;
let n97 = n29[n88];
let n98 = n97.x;
let n99 = n97.y;
let n100 = n97.z;
let n101 = n97.w;
n15 = (n15 + select(f32(0), n98, n86));
n15 = (n15 + select(f32(0), n99, n86));
n15 = (n15 + select(f32(0), n100, n86));
n15 = (n15 + select(f32(0), n101, n86));
let n102 = n7 + 160u;
let n103 = n102 < n11;
let n104 = min(n102, n11 - 1u);
let n105 = n12 + n104;
let n106 = 4u * n105 + 0u;
let n107 = 4u * n104 + 0u;
let n108 = 4u * n105 + 1u;
let n109 = 4u * n104 + 1u;
let n110 = 4u * n105 + 2u;
let n111 = 4u * n104 + 2u;
let n112 = 4u * n105 + 3u;
let n113 = 4u * n104 + 3u;
let n114 = n29[n105];
let n115 = n114.x;
let n116 = n114.y;
let n117 = n114.z;
let n118 = n114.w;
n15 = (n15 + select(f32(0), n115, n103));
n15 = (n15 + select(f32(0), n116, n103));
n15 = (n15 + select(f32(0), n117, n103));
n15 = (n15 + select(f32(0), n118, n103));
let n119 = n7 + 192u;
let n120 = n119 < n11;
let n121 = min(n119, n11 - 1u);
let n122 = n12 + n121;
let n123 = 4u * n122 + 0u;
let n124 = 4u * n121 + 0u;
let n125 = 4u * n122 + 1u;
let n126 = 4u * n121 + 1u;
let n127 = 4u * n122 + 2u;
let n128 = 4u * n121 + 2u;
let n129 = 4u * n122 + 3u;
let n130 = 4u * n121 + 3u;
let n131 = n29[n122];
let n132 = n131.x;
let n133 = n131.y;
let n134 = n131.z;
let n135 = n131.w;
n15 = (n15 + select(f32(0), n132, n120));
n15 = (n15 + select(f32(0), n133, n120));
n15 = (n15 + select(f32(0), n134, n120));
n15 = (n15 + select(f32(0), n135, n120));
let n136 = n7 + 224u;
let n137 = n136 < n11;
let n138 = min(n136, n11 - 1u);
let n139 = n12 + n138;
let n140 = 4u * n139 + 0u;
let n141 = 4u * n138 + 0u;
let n142 = 4u * n139 + 1u;
let n143 = 4u * n138 + 1u;
let n144 = 4u * n139 + 2u;
let n145 = 4u * n138 + 2u;
let n146 = 4u * n139 + 3u;
let n147 = 4u * n138 + 3u;
let n148 = n29[n139];
let n149 = n148.x;
let n150 = n148.y;
let n151 = n148.z;
let n152 = n148.w;
n15 = (n15 + select(f32(0), n149, n137));
n15 = (n15 + select(f32(0), n150, n137));
n15 = (n15 + select(f32(0), n151, n137));
n15 = (n15 + select(f32(0), n152, n137));
let n153 = subgroupAdd(n15);
let n154 = n153;
let n155 = n156(n154, n13);
let n157 = (n155 + n14);
let n158 = inverseSqrt(n157);
let n159 = n160[n19];
let n161 = n159.x;
let n162 = n159.y;
let n163 = n159.z;
let n164 = n159.w;
let n165 = (n161 * n158);
let n166 = n167[n21];
let n168 = (n165 * n166);
let n169 = (n162 * n158);
let n170 = n167[n23];
let n171 = (n169 * n170);
let n172 = (n163 * n158);
let n173 = n167[n25];
let n174 = (n172 * n173);
let n175 = (n164 * n158);
let n176 = n167[n27];
let n177 = (n175 * n176);
if (n9 && n17) {
n178[n19] = vec4<f32>(n168, n171, n174, n177);
}
let n179 = n160[n37];
let n180 = n179.x;
let n181 = n179.y;
let n182 = n179.z;
let n183 = n179.w;
let n184 = (n180 * n158);
let n185 = n167[n39];
let n186 = (n184 * n185);
let n187 = (n181 * n158);
let n188 = n167[n41];
let n189 = (n187 * n188);
let n190 = (n182 * n158);
let n191 = n167[n43];
let n192 = (n190 * n191);
let n193 = (n183 * n158);
let n194 = n167[n45];
let n195 = (n193 * n194);
if (n9 && n35) {
n178[n37] = vec4<f32>(n186, n189, n192, n195);
}
let n196 = n160[n54];
let n197 = n196.x;
let n198 = n196.y;
let n199 = n196.z;
let n200 = n196.w;
let n201 = (n197 * n158);
let n202 = n167[n56];
let n203 = (n201 * n202);
let n204 = (n198 * n158);
let n205 = n167[n58];
let n206 = (n204 * n205);
let n207 = (n199 * n158);
let n208 = n167[n60];
let n209 = (n207 * n208);
let n210 = (n200 * n158);
let n211 = n167[n62];
let n212 = (n210 * n211);
if (n9 && n52) {
n178[n54] = vec4<f32>(n203, n206, n209, n212);
}
let n213 = n160[n71];
let n214 = n213.x;
let n215 = n213.y;
let n216 = n213.z;
let n217 = n213.w;
let n218 = (n214 * n158);
let n219 = n167[n73];
let n220 = (n218 * n219);
let n221 = (n215 * n158);
let n222 = n167[n75];
let n223 = (n221 * n222);
let n224 = (n216 * n158);
let n225 = n167[n77];
let n226 = (n224 * n225);
let n227 = (n217 * n158);
let n228 = n167[n79];
let n229 = (n227 * n228);
if (n9 && n69) {
n178[n71] = vec4<f32>(n220, n223, n226, n229);
}
let n230 = n160[n88];
let n231 = n230.x;
let n232 = n230.y;
let n233 = n230.z;
let n234 = n230.w;
let n235 = (n231 * n158);
let n236 = n167[n90];
let n237 = (n235 * n236);
let n238 = (n232 * n158);
let n239 = n167[n92];
let n240 = (n238 * n239);
let n241 = (n233 * n158);
let n242 = n167[n94];
let n243 = (n241 * n242);
let n244 = (n234 * n158);
let n245 = n167[n96];
let n246 = (n244 * n245);
if (n9 && n86) {
n178[n88] = vec4<f32>(n237, n240, n243, n246);
}
let n247 = n160[n105];
let n248 = n247.x;
let n249 = n247.y;
let n250 = n247.z;
let n251 = n247.w;
let n252 = (n248 * n158);
let n253 = n167[n107];
let n254 = (n252 * n253);
let n255 = (n249 * n158);
let n256 = n167[n109];
let n257 = (n255 * n256);
let n258 = (n250 * n158);
let n259 = n167[n111];
let n260 = (n258 * n259);
let n261 = (n251 * n158);
let n262 = n167[n113];
let n263 = (n261 * n262);
if (n9 && n103) {
n178[n105] = vec4<f32>(n254, n257, n260, n263);
}
let n264 = n160[n122];
let n265 = n264.x;
let n266 = n264.y;
let n267 = n264.z;
let n268 = n264.w;
let n269 = (n265 * n158);
let n270 = n167[n124];
let n271 = (n269 * n270);
let n272 = (n266 * n158);
let n273 = n167[n126];
let n274 = (n272 * n273);
let n275 = (n267 * n158);
let n276 = n167[n128];
let n277 = (n275 * n276);
let n278 = (n268 * n158);
let n279 = n167[n130];
let n280 = (n278 * n279);
if (n9 && n120) {
n178[n122] = vec4<f32>(n271, n274, n277, n280);
}
let n281 = n160[n139];
let n282 = n281.x;
let n283 = n281.y;
let n284 = n281.z;
let n285 = n281.w;
let n286 = (n282 * n158);
let n287 = n167[n141];
let n288 = (n286 * n287);
let n289 = (n283 * n158);
let n290 = n167[n143];
let n291 = (n289 * n290);
let n292 = (n284 * n158);
let n293 = n167[n145];
let n294 = (n292 * n293);
let n295 = (n285 * n158);
let n296 = n167[n147];
let n297 = (n295 * n296);
if (n9 && n137) {
n178[n139] = vec4<f32>(n288, n291, n294, n297);
}
}
// b192500cc897
@group(0) @binding(6) var<storage, read_write> n0: array<u32>;
// b1d0ae67b7a9
@group(0) @binding(16) var<uniform> n0: array<vec4<u32>, 12>;
// b20bd16d660c
fn n0(n1: u32, n2: u32, n3: u32) -> bool {
let n4 = i32(n2) + n5(n1);
return i32(n3) <= n4 + n6.n7 && i32(n3) >= n4 - n6.n8 && n3 < n9(n1) && n2 < n6.n10;
}
// b2ee6c127b42
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = n4 / n3[2].z;
let n16 = n4 - n15 * n3[2].z - n3[2].w;
let n17 = n15 - n3[2].x;
let n18 = n16 < n3[3].x && n17 < n3[2].y;
let n19 = select(0u, n16 + n17 * n3[3].x, n18);
let n20 = n19 / n3[3].w;
let n21 = (n19 - n20 * n3[3].w) * n3[4].x + n20;
let n22 = n23[n21];
let n24 = n4 / n3[5].y;
let n25 = n4 - n24 * n3[5].y - n3[5].z;
let n26 = n24 - n3[4].w;
let n27 = n25 < n3[5].w && n26 < n3[5].x;
let n28 = select(0u, n25 + n26 * n3[5].w, n27);
let n29 = n30[n28];
let n31 = bitcast<f32>(n3[6].w);
let n32 = select(n31, n29, n27);
let n33 = select(n32, n22, n18);
let n34 = select(n33, n13, n11);
let n35 = n5 / n3[1].x;
let n36 = n5 - n35 * n3[1].x - n3[1].y;
let n37 = n35 - n3[0].z;
let n38 = n36 < n3[1].z && n37 < n3[0].w;
let n39 = select(0u, n36 + n37 * n3[1].z, n38);
let n40 = n14[n39];
let n41 = n5 / n3[2].z;
let n42 = n5 - n41 * n3[2].z - n3[2].w;
let n43 = n41 - n3[2].x;
let n44 = n42 < n3[3].x && n43 < n3[2].y;
let n45 = select(0u, n42 + n43 * n3[3].x, n44);
let n46 = n45 / n3[3].w;
let n47 = (n45 - n46 * n3[3].w) * n3[4].x + n46;
let n48 = n23[n47];
let n49 = n5 / n3[5].y;
let n50 = n5 - n49 * n3[5].y - n3[5].z;
let n51 = n49 - n3[4].w;
let n52 = n50 < n3[5].w && n51 < n3[5].x;
let n53 = select(0u, n50 + n51 * n3[5].w, n52);
let n54 = n30[n53];
let n55 = select(n31, n54, n52);
let n56 = select(n55, n48, n44);
let n57 = select(n56, n40, n38);
let n58 = n6 / n3[1].x;
let n59 = n6 - n58 * n3[1].x - n3[1].y;
let n60 = n58 - n3[0].z;
let n61 = n59 < n3[1].z && n60 < n3[0].w;
let n62 = select(0u, n59 + n60 * n3[1].z, n61);
let n63 = n14[n62];
let n64 = n6 / n3[2].z;
let n65 = n6 - n64 * n3[2].z - n3[2].w;
let n66 = n64 - n3[2].x;
let n67 = n65 < n3[3].x && n66 < n3[2].y;
let n68 = select(0u, n65 + n66 * n3[3].x, n67);
let n69 = n68 / n3[3].w;
let n70 = (n68 - n69 * n3[3].w) * n3[4].x + n69;
let n71 = n23[n70];
let n72 = n6 / n3[5].y;
let n73 = n6 - n72 * n3[5].y - n3[5].z;
let n74 = n72 - n3[4].w;
let n75 = n73 < n3[5].w && n74 < n3[5].x;
let n76 = select(0u, n73 + n74 * n3[5].w, n75);
let n77 = n30[n76];
let n78 = select(n31, n77, n75);
let n79 = select(n78, n71, n67);
let n80 = select(n79, n63, n61);
let n81 = n7 / n3[1].x;
let n82 = n7 - n81 * n3[1].x - n3[1].y;
let n83 = n81 - n3[0].z;
let n84 = n82 < n3[1].z && n83 < n3[0].w;
let n85 = select(0u, n82 + n83 * n3[1].z, n84);
let n86 = n14[n85];
let n87 = n7 / n3[2].z;
let n88 = n7 - n87 * n3[2].z - n3[2].w;
let n89 = n87 - n3[2].x;
let n90 = n88 < n3[3].x && n89 < n3[2].y;
let n91 = select(0u, n88 + n89 * n3[3].x, n90);
let n92 = n91 / n3[3].w;
let n93 = (n91 - n92 * n3[3].w) * n3[4].x + n92;
let n94 = n23[n93];
let n95 = n7 / n3[5].y;
let n96 = n7 - n95 * n3[5].y - n3[5].z;
let n97 = n95 - n3[4].w;
let n98 = n96 < n3[5].w && n97 < n3[5].x;
let n99 = select(0u, n96 + n97 * n3[5].w, n98);
let n100 = n30[n99];
let n101 = select(n31, n100, n98);
let n102 = select(n101, n94, n90);
let n103 = select(n102, n86, n84);
n104[n1] = vec4<f32>(n34, n57, n80, n103);
}
// b31114150c12
fn n0(x: u32) -> f32 {
return f32(x >> 16u) * 65536.0 + f32(x & 0xffffu);
}
// b39be6b14b12
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n2 / n4[2].z;
let n5 = n2 - n3 * n4[2].z;
let n6 = n3 * n4[3].x + n5;
let n7 = f32(n8[n6]);
let n9 = n10(n7);
let n11 = (n7 * n9);
let n12 = n3 * n4[4].y + n5 + n4[5].x;
let n13 = f32(n8[n12]);
let n14 = (n11 * n13);
let n15 = n2 + 1u;
let n16 = n5 + 1u == n4[2].z;
let n17 = select(n3, n3 + 1u, n16);
let n18 = select(n5 + 1u, 0u, n16);
let n19 = n17 * n4[3].x + n18;
let n20 = f32(n8[n19]);
let n21 = n10(n20);
let n22 = (n20 * n21);
let n23 = n17 * n4[4].y + n18 + n4[5].x;
let n24 = f32(n8[n23]);
let n25 = (n22 * n24);
let n26 = n2 + 2u;
let n27 = n18 + 1u == n4[2].z;
let n28 = select(n17, n17 + 1u, n27);
let n29 = select(n18 + 1u, 0u, n27);
let n30 = n28 * n4[3].x + n29;
let n31 = f32(n8[n30]);
let n32 = n10(n31);
let n33 = (n31 * n32);
let n34 = n28 * n4[4].y + n29 + n4[5].x;
let n35 = f32(n8[n34]);
let n36 = (n33 * n35);
let n37 = n2 + 3u;
let n38 = n29 + 1u == n4[2].z;
let n39 = select(n28, n28 + 1u, n38);
let n40 = select(n29 + 1u, 0u, n38);
let n41 = n39 * n4[3].x + n40;
let n42 = f32(n8[n41]);
let n43 = n10(n42);
let n44 = (n42 * n43);
let n45 = n39 * n4[4].y + n40 + n4[5].x;
let n46 = f32(n8[n45]);
let n47 = (n44 * n46);
return vec4<f32>(n14, n25, n36, n47);
}
// b483a5c3e723
@group(0) @binding(3) var<storage, read_write> n0: array<f32>;
// b4e43c62ca15
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[2u * n19];
let n30 = n29[2u * n19 + 1u];
let n31 = n32((n28 >> 0u) & 0xffffu);
let n33 = n32((n28 >> 16u) & 0xffffu);
let n34 = n32((n30 >> 0u) & 0xffffu);
let n35 = n32((n30 >> 16u) & 0xffffu);
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n33;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n34;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n35;
let n43 = (n42 * n42);
n15 = (n15 + select(f32(0), n43, n17));
let n44 = n7 + 32u;
let n45 = n44 < n11;
let n46 = min(n44, n11 - 1u);
let n47 = n12 + n46;
let n48 = 4u * n47 + 0u;
let n49 = 4u * n46 + 0u;
let n50 = 4u * n47 + 1u;
let n51 = 4u * n46 + 1u;
let n52 = 4u * n47 + 2u;
let n53 = 4u * n46 + 2u;
let n54 = 4u * n47 + 3u;
let n55 = 4u * n46 + 3u;
let n56 = n29[2u * n47];
let n57 = n29[2u * n47 + 1u];
let n58 = n32((n56 >> 0u) & 0xffffu);
let n59 = n32((n56 >> 16u) & 0xffffu);
let n60 = n32((n57 >> 0u) & 0xffffu);
let n61 = n32((n57 >> 16u) & 0xffffu);
let n62 = n58;
let n63 = (n62 * n62);
n15 = (n15 + select(f32(0), n63, n45));
let n64 = n59;
let n65 = (n64 * n64);
n15 = (n15 + select(f32(0), n65, n45));
let n66 = n60;
let n67 = (n66 * n66);
n15 = (n15 + select(f32(0), n67, n45));
let n68 = n61;
let n69 = (n68 * n68);
n15 = (n15 + select(f32(0), n69, n45));
let n70 = n7 + 64u;
let n71 = n70 < n11;
let n72 = min(n70, n11 - 1u);
let n73 = n12 + n72;
let n74 = 4u * n73 + 0u;
let n75 = 4u * n72 + 0u;
let n76 = 4u * n73 + 1u;
let n77 = 4u * n72 + 1u;
let n78 = 4u * n73 + 2u;
let n79 = 4u * n72 + 2u;
let n80 = 4u * n73 + 3u;
let n81 = 4u * n72 + 3u;
let n82 = n29[2u * n73];
let n83 = n29[2u * n73 + 1u];
let n84 = n32((n82 >> 0u) & 0xffffu);
let n85 = n32((n82 >> 16u) & 0xffffu);
let n86 = n32((n83 >> 0u) & 0xffffu);
let n87 = n32((n83 >> 16u) & 0xffffu);
let n88 = n84;
let n89 = (n88 * n88);
n15 = (n15 + select(f32(0), n89, n71));
let n90 = n85;
let n91 = (n90 * n90);
n15 = (n15 + select(f32(0), n91, n71));
let n92 = n86;
let n93 = (n92 * n92);
n15 = (n15 + select(f32(0), n93, n71));
let n94 = n87;
let n95 = (n94 * n94);
n15 = (n15 + select(f32(0), n95, n71));
let n96 = n7 + 96u;
let n97 = n96 < n11;
let n98 = min(n96, n11 - 1u);
let n99 = n12 + n98;
let n100 = 4u * n99 + 0u;
let n101 = 4u * n98 + 0u;
let n102 = 4u * n99 + 1u;
let n103 = 4u * n98 + 1u;
let n104 = 4u * n99 + 2u;
let n105 = 4u * n98 + 2u;
let n106 = 4u * n99 + 3u;
let n107 = 4u * n98 + 3u;
let n108 = n29[2u * n99];
let n109 = n29[2u * n99 + 1u];
let n110 = n32((n108 >> 0u) & 0xffffu);
let n111 = n32((n108 >> 16u) & 0xffffu);
let n112 = n32((n109 >> 0u) & 0xffffu);
let n113 = n32((n109 >> 16u) & 0xffffu);
let n114 = n110;
let n115 = (n114 * n114);
n15 = (n15 + select(f32(0), n115, n97));
let n116 = n111;
let n117 = (n116 * n116);
n15 = (n15 + select(f32(0), n117, n97));
let n118 = n112;
let n119 = (n118 * n118);
n15 = (n15 + select(f32(0), n119, n97));
let n120 = n113;
let n121 = (n120 * n120);
n15 = (n15 + select(f32(0), n121, n97));
let n122 = n7 + 128u;
let n123 = n122 < n11;
let n124 = min(n122, n11 - 1u);
let n125 = n12 + n124;
let n126 = 4u * n125 + 0u;
let n127 = 4u * n124 + 0u;
let n128 = 4u * n125 + 1u;
let n129 = 4u * n124 + 1u;
let n130 = 4u * n125 + 2u;
let n131 = 4u * n124 + 2u;
let n132 = 4u * n125 + 3u;
let n133 = 4u * n124 + 3u;
let n134 = n29[2u * n125];
let n135 = n29[2u * n125 + 1u];
let n136 = n32((n134 >> 0u) & 0xffffu);
let n137 = n32((n134 >> 16u) & 0xffffu);
let n138 = n32((n135 >> 0u) & 0xffffu);
let n139 = n32((n135 >> 16u) & 0xffffu);
let n140 = n136;
let n141 = (n140 * n140);
n15 = (n15 + select(f32(0), n141, n123));
let n142 = n137;
let n143 = (n142 * n142);
n15 = (n15 + select(f32(0), n143, n123));
let n144 = n138;
let n145 = (n144 * n144);
n15 = (n15 + select(f32(0), n145, n123));
let n146 = n139;
let n147 = (n146 * n146);
n15 = (n15 + select(f32(0), n147, n123));
let n148 = n7 + 160u;
let n149 = n148 < n11;
let n150 = min(n148, n11 - 1u);
let n151 = n12 + n150;
let n152 = 4u * n151 + 0u;
let n153 = 4u * n150 + 0u;
let n154 = 4u * n151 + 1u;
let n155 = 4u * n150 + 1u;
let n156 = 4u * n151 + 2u;
let n157 = 4u * n150 + 2u;
let n158 = 4u * n151 + 3u;
let n159 = 4u * n150 + 3u;
let n160 = n29[2u * n151];
let n161 = n29[2u * n151 + 1u];
let n162 = n32((n160 >> 0u) & 0xffffu);
let n163 = n32((n160 >> 16u) & 0xffffu);
let n164 = n32((n161 >> 0u) & 0xffffu);
let n165 = n32((n161 >> 16u) & 0xffffu);
let n166 = n162;
let n167 = (n166 * n166);
n15 = (n15 + select(f32(0), n167, n149));
let n168 = n163;
let n169 = (n168 * n168);
n15 = (n15 + select(f32(0), n169, n149));
let n170 = n164;
let n171 = (n170 * n170);
n15 = (n15 + select(f32(0), n171, n149));
let n172 = n165;
let n173 = (n172 * n172);
n15 = (n15 + select(f32(0), n173, n149));
let n174 = n7 + 192u;
let n175 = n174 < n11;
let n176 = min(n174, n11 - 1u);
let n177 = n12 + n176;
let n178 = 4u * n177 + 0u;
let n179 = 4u * n176 + 0u;
let n180 = 4u * n177 + 1u;
let n181 = 4u * n176 + 1u;
let n182 = 4u * n177 + 2u;
let n183 = 4u * n176 + 2u;
let n184 = 4u * n177 + 3u;
let n185 = 4u * n176 + 3u;
let n186 = n29[2u * n177];
let n187 = n29[2u * n177 + 1u];
let n188 = n32((n186 >> 0u) & 0xffffu);
let n189 = n32((n186 >> 16u) & 0xffffu);
let n190 = n32((n187 >> 0u) & 0xffffu);
let n191 = n32((n187 >> 16u) & 0xffffu);
let n192 = n188;
let n193 = (n192 * n192);
n15 = (n15 + select(f32(0), n193, n175));
let n194 = n189;
let n195 = (n194 * n194);
n15 = (n15 + select(f32(0), n195, n175));
let n196 = n190;
let n197 = (n196 * n196);
n15 = (n15 + select(f32(0), n197, n175));
let n198 = n191;
let n199 = (n198 * n198);
n15 = (n15 + select(f32(0), n199, n175));
let n200 = n7 + 224u;
let n201 = n200 < n11;
let n202 = min(n200, n11 - 1u);
let n203 = n12 + n202;
let n204 = 4u * n203 + 0u;
let n205 = 4u * n202 + 0u;
let n206 = 4u * n203 + 1u;
let n207 = 4u * n202 + 1u;
let n208 = 4u * n203 + 2u;
let n209 = 4u * n202 + 2u;
let n210 = 4u * n203 + 3u;
let n211 = 4u * n202 + 3u;
let n212 = n29[2u * n203];
let n213 = n29[2u * n203 + 1u];
let n214 = n32((n212 >> 0u) & 0xffffu);
let n215 = n32((n212 >> 16u) & 0xffffu);
let n216 = n32((n213 >> 0u) & 0xffffu);
let n217 = n32((n213 >> 16u) & 0xffffu);
let n218 = n214;
let n219 = (n218 * n218);
n15 = (n15 + select(f32(0), n219, n201));
let n220 = n215;
let n221 = (n220 * n220);
n15 = (n15 + select(f32(0), n221, n201));
let n222 = n216;
let n223 = (n222 * n222);
n15 = (n15 + select(f32(0), n223, n201));
let n224 = n217;
let n225 = (n224 * n224);
n15 = (n15 + select(f32(0), n225, n201));
n226[n3] = n15;
workgroupBarrier();
for (var n227 = 16u; n227 > 0u; n227 >>= 1u) {
if (n7 < n227) { n226[n3] = (n226[n3] + n226[n3 + n227]); }
workgroupBarrier();
}
let n228 = n226[n3 - n7];
workgroupBarrier();
let n229 = n230(n228, n13);
let n231 = (n229 + n14);
let n232 = inverseSqrt(n231);
let n233 = (n36 * n232);
let n234 = n32((n235[n21 >> 1u] >> ((n21 & 1u) << 4u)) & 0xffffu);
let n236 = n234;
let n237 = (n233 * n236);
let n238 = n237;
let n239 = (n38 * n232);
let n240 = n32((n235[n23 >> 1u] >> ((n23 & 1u) << 4u)) & 0xffffu);
let n241 = n240;
let n242 = (n239 * n241);
let n243 = n242;
let n244 = (n40 * n232);
let n245 = n32((n235[n25 >> 1u] >> ((n25 & 1u) << 4u)) & 0xffffu);
let n246 = n245;
let n247 = (n244 * n246);
let n248 = n247;
let n249 = (n42 * n232);
let n250 = n32((n235[n27 >> 1u] >> ((n27 & 1u) << 4u)) & 0xffffu);
let n251 = n250;
let n252 = (n249 * n251);
let n253 = n252;
if (n9 && n17) {
n254[2u * n19] = n255(n238) | (n255(n243) << 16u);
n254[2u * n19 + 1u] = n255(n248) | (n255(n253) << 16u);
}
let n256 = (n62 * n232);
let n257 = n32((n235[n49 >> 1u] >> ((n49 & 1u) << 4u)) & 0xffffu);
let n258 = n257;
let n259 = (n256 * n258);
let n260 = n259;
let n261 = (n64 * n232);
let n262 = n32((n235[n51 >> 1u] >> ((n51 & 1u) << 4u)) & 0xffffu);
let n263 = n262;
let n264 = (n261 * n263);
let n265 = n264;
let n266 = (n66 * n232);
let n267 = n32((n235[n53 >> 1u] >> ((n53 & 1u) << 4u)) & 0xffffu);
let n268 = n267;
let n269 = (n266 * n268);
let n270 = n269;
let n271 = (n68 * n232);
let n272 = n32((n235[n55 >> 1u] >> ((n55 & 1u) << 4u)) & 0xffffu);
let n273 = n272;
let n274 = (n271 * n273);
let n275 = n274;
if (n9 && n45) {
n254[2u * n47] = n255(n260) | (n255(n265) << 16u);
n254[2u * n47 + 1u] = n255(n270) | (n255(n275) << 16u);
}
let n276 = (n88 * n232);
let n277 = n32((n235[n75 >> 1u] >> ((n75 & 1u) << 4u)) & 0xffffu);
let n278 = n277;
let n279 = (n276 * n278);
let n280 = n279;
let n281 = (n90 * n232);
let n282 = n32((n235[n77 >> 1u] >> ((n77 & 1u) << 4u)) & 0xffffu);
let n283 = n282;
let n284 = (n281 * n283);
let n285 = n284;
let n286 = (n92 * n232);
let n287 = n32((n235[n79 >> 1u] >> ((n79 & 1u) << 4u)) & 0xffffu);
let n288 = n287;
let n289 = (n286 * n288);
let n290 = n289;
let n291 = (n94 * n232);
let n292 = n32((n235[n81 >> 1u] >> ((n81 & 1u) << 4u)) & 0xffffu);
let n293 = n292;
let n294 = (n291 * n293);
let n295 = n294;
if (n9 && n71) {
n254[2u * n73] = n255(n280) | (n255(n285) << 16u);
n254[2u * n73 + 1u] = n255(n290) | (n255(n295) << 16u);
}
let n296 = (n114 * n232);
let n297 = n32((n235[n101 >> 1u] >> ((n101 & 1u) << 4u)) & 0xffffu);
let n298 = n297;
let n299 = (n296 * n298);
let n300 = n299;
let n301 = (n116 * n232);
let n302 = n32((n235[n103 >> 1u] >> ((n103 & 1u) << 4u)) & 0xffffu);
let n303 = n302;
let n304 = (n301 * n303);
let n305 = n304;
let n306 = (n118 * n232);
let n307 = n32((n235[n105 >> 1u] >> ((n105 & 1u) << 4u)) & 0xffffu);
let n308 = n307;
let n309 = (n306 * n308);
let n310 = n309;
let n311 = (n120 * n232);
let n312 = n32((n235[n107 >> 1u] >> ((n107 & 1u) << 4u)) & 0xffffu);
let n313 = n312;
let n314 = (n311 * n313);
let n315 = n314;
if (n9 && n97) {
n254[2u * n99] = n255(n300) | (n255(n305) << 16u);
n254[2u * n99 + 1u] = n255(n310) | (n255(n315) << 16u);
}
let n316 = (n140 * n232);
let n317 = n32((n235[n127 >> 1u] >> ((n127 & 1u) << 4u)) & 0xffffu);
let n318 = n317;
let n319 = (n316 * n318);
let n320 = n319;
let n321 = (n142 * n232);
let n322 = n32((n235[n129 >> 1u] >> ((n129 & 1u) << 4u)) & 0xffffu);
let n323 = n322;
let n324 = (n321 * n323);
let n325 = n324;
let n326 = (n144 * n232);
let n327 = n32((n235[n131 >> 1u] >> ((n131 & 1u) << 4u)) & 0xffffu);
let n328 = n327;
let n329 = (n326 * n328);
let n330 = n329;
let n331 = (n146 * n232);
let n332 = n32((n235[n133 >> 1u] >> ((n133 & 1u) << 4u)) & 0xffffu);
let n333 = n332;
let n334 = (n331 * n333);
let n335 = n334;
if (n9 && n123) {
n254[2u * n125] = n255(n320) | (n255(n325) << 16u);
n254[2u * n125 + 1u] = n255(n330) | (n255(n335) << 16u);
}
let n336 = (n166 * n232);
let n337 = n32((n235[n153 >> 1u] >> ((n153 & 1u) << 4u)) & 0xffffu);
let n338 = n337;
let n339 = (n336 * n338);
let n340 = n339;
let n341 = (n168 * n232);
let n342 = n32((n235[n155 >> 1u] >> ((n155 & 1u) << 4u)) & 0xffffu);
let n343 = n342;
let n344 = (n341 * n343);
let n345 = n344;
let n346 = (n170 * n232);
let n347 = n32((n235[n157 >> 1u] >> ((n157 & 1u) << 4u)) & 0xffffu);
let n348 = n347;
let n349 = (n346 * n348);
let n350 = n349;
let n351 = (n172 * n232);
let n352 = n32((n235[n159 >> 1u] >> ((n159 & 1u) << 4u)) & 0xffffu);
let n353 = n352;
let n354 = (n351 * n353);
let n355 = n354;
if (n9 && n149) {
n254[2u * n151] = n255(n340) | (n255(n345) << 16u);
n254[2u * n151 + 1u] = n255(n350) | (n255(n355) << 16u);
}
let n356 = (n192 * n232);
let n357 = n32((n235[n179 >> 1u] >> ((n179 & 1u) << 4u)) & 0xffffu);
let n358 = n357;
let n359 = (n356 * n358);
let n360 = n359;
let n361 = (n194 * n232);
let n362 = n32((n235[n181 >> 1u] >> ((n181 & 1u) << 4u)) & 0xffffu);
let n363 = n362;
let n364 = (n361 * n363);
let n365 = n364;
let n366 = (n196 * n232);
let n367 = n32((n235[n183 >> 1u] >> ((n183 & 1u) << 4u)) & 0xffffu);
let n368 = n367;
let n369 = (n366 * n368);
let n370 = n369;
let n371 = (n198 * n232);
let n372 = n32((n235[n185 >> 1u] >> ((n185 & 1u) << 4u)) & 0xffffu);
let n373 = n372;
let n374 = (n371 * n373);
let n375 = n374;
if (n9 && n175) {
n254[2u * n177] = n255(n360) | (n255(n365) << 16u);
n254[2u * n177 + 1u] = n255(n370) | (n255(n375) << 16u);
}
let n376 = (n218 * n232);
let n377 = n32((n235[n205 >> 1u] >> ((n205 & 1u) << 4u)) & 0xffffu);
let n378 = n377;
let n379 = (n376 * n378);
let n380 = n379;
let n381 = (n220 * n232);
let n382 = n32((n235[n207 >> 1u] >> ((n207 & 1u) << 4u)) & 0xffffu);
let n383 = n382;
let n384 = (n381 * n383);
let n385 = n384;
let n386 = (n222 * n232);
let n387 = n32((n235[n209 >> 1u] >> ((n209 & 1u) << 4u)) & 0xffffu);
let n388 = n387;
let n389 = (n386 * n388);
let n390 = n389;
let n391 = (n224 * n232);
let n392 = n32((n235[n211 >> 1u] >> ((n211 & 1u) << 4u)) & 0xffffu);
let n393 = n392;
let n394 = (n391 * n393);
let n395 = n394;
if (n9 && n201) {
n254[2u * n203] = n255(n380) | (n255(n385) << 16u);
n254[2u * n203 + 1u] = n255(n390) | (n255(n395) << 16u);
}
}
// b4ee9f69057a
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
for (var n7 = 0u; n7 < 4u; n7++) {
let n8 = n2 + n7;
if (n8 < n5[0].z) {
let n9 = n6 * n5[0].z + n8;
let n10 = n3[n7];
atomicAnd(&n11[n9 >> 1u], ~(0xffffu << ((n9 & 1u) << 4u))); atomicOr(&n11[n9 >> 1u], n12(n10) << ((n9 & 1u) << 4u));
}
}
}
// b5ba77ef4e97
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
n34[n3] = n15;
workgroupBarrier();
for (var n35 = 16u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
let n37 = n38(n36, n13);
var n39: f32 = f32(0);
let n40 = (n30 - n37);
let n41 = (n40 * n40);
n39 = (n39 + select(f32(0), n41, n17));
let n42 = (n31 - n37);
let n43 = (n42 * n42);
n39 = (n39 + select(f32(0), n43, n17));
let n44 = (n32 - n37);
let n45 = (n44 * n44);
n39 = (n39 + select(f32(0), n45, n17));
let n46 = (n33 - n37);
let n47 = (n46 * n46);
n39 = (n39 + select(f32(0), n47, n17));
n34[n3] = n39;
workgroupBarrier();
for (var n35 = 16u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n48 = n34[n3 - n7];
workgroupBarrier();
let n49 = n38(n48, n13);
let n50 = (n49 + n14);
let n51 = sqrt(n50);
let n52 = n38(n40, n51);
let n53 = n38(n42, n51);
let n54 = n38(n44, n51);
let n55 = n38(n46, n51);
if (n9 && n17) {
n56[n19] = vec4<f32>(n52, n53, n54, n55);
}
}
// b5ea2f8de868
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 / n5[1].x;
let n17 = (n10 - n16 * n5[1].x) + n16 * n5[0].w + n14 * n5[1].w;
let n18 = n19[n17];
n13 = (n13 + n18);
}
let n20 = n13;
if (n7 == 0u && n9) {
n21[n10] = n20;
}
}
// b61069f872ea
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n2 / n4[2].z;
let n5 = n2 - n3 * n4[2].z;
let n6 = n7[2u * n1];
let n8 = n7[2u * n1 + 1u];
let n9 = n10((n6 >> 0u) & 0xffffu);
let n11 = n10((n6 >> 16u) & 0xffffu);
let n12 = n10((n8 >> 0u) & 0xffffu);
let n13 = n10((n8 >> 16u) & 0xffffu);
let n14 = n10((n15[n5 >> 1u] >> ((n5 & 1u) << 4u)) & 0xffffu);
let n16 = (n9 * n14);
let n17 = n2 + 1u;
let n18 = n5 + 1u == n4[2].z;
let n19 = select(n3, n3 + 1u, n18);
let n20 = select(n5 + 1u, 0u, n18);
let n21 = n10((n15[n20 >> 1u] >> ((n20 & 1u) << 4u)) & 0xffffu);
let n22 = (n11 * n21);
let n23 = n2 + 2u;
let n24 = n20 + 1u == n4[2].z;
let n25 = select(n19, n19 + 1u, n24);
let n26 = select(n20 + 1u, 0u, n24);
let n27 = n10((n15[n26 >> 1u] >> ((n26 & 1u) << 4u)) & 0xffffu);
let n28 = (n12 * n27);
let n29 = n2 + 3u;
let n30 = n26 + 1u == n4[2].z;
let n31 = select(n25, n25 + 1u, n30);
let n32 = select(n26 + 1u, 0u, n30);
let n33 = n10((n15[n32 >> 1u] >> ((n32 & 1u) << 4u)) & 0xffffu);
let n34 = (n13 * n33);
return vec4<f32>(n10(n35(n16)), n10(n35(n22)), n10(n35(n28)), n10(n35(n34)));
}
// b6cf474b19aa
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 + n14 * n5[1].y;
let n17 = n18[n16];
n13 = (n13 + n17);
}
let n19 = n13;
let n20 = n19;
if (n7 == 0u && n9) {
atomicAnd(&n21[n10 >> 1u], ~(0xffffu << ((n10 & 1u) << 4u))); atomicOr(&n21[n10 >> 1u], n22(n20) << ((n10 & 1u) << 4u));
}
}
// b731e8352ada
@group(0) @binding(4) var<storage, read_write> n0: array<u32>;
// b7c2d25798e5
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n7 + 32u;
let n39 = n38 < n11;
let n40 = min(n38, n11 - 1u);
let n41 = n12 + n40;
let n42 = 4u * n41 + 0u;
let n43 = 4u * n40 + 0u;
let n44 = 4u * n41 + 1u;
let n45 = 4u * n40 + 1u;
let n46 = 4u * n41 + 2u;
let n47 = 4u * n40 + 2u;
let n48 = 4u * n41 + 3u;
let n49 = 4u * n40 + 3u;
let n50 = n29[n41];
let n51 = n50.x;
let n52 = n50.y;
let n53 = n50.z;
let n54 = n50.w;
let n55 = (n51 * n51);
n15 = (n15 + select(f32(0), n55, n39));
let n56 = (n52 * n52);
n15 = (n15 + select(f32(0), n56, n39));
let n57 = (n53 * n53);
n15 = (n15 + select(f32(0), n57, n39));
let n58 = (n54 * n54);
n15 = (n15 + select(f32(0), n58, n39));
let n59 = n7 + 64u;
let n60 = n59 < n11;
let n61 = min(n59, n11 - 1u);
let n62 = n12 + n61;
let n63 = 4u * n62 + 0u;
let n64 = 4u * n61 + 0u;
let n65 = 4u * n62 + 1u;
let n66 = 4u * n61 + 1u;
let n67 = 4u * n62 + 2u;
let n68 = 4u * n61 + 2u;
let n69 = 4u * n62 + 3u;
let n70 = 4u * n61 + 3u;
let n71 = n29[n62];
let n72 = n71.x;
let n73 = n71.y;
let n74 = n71.z;
let n75 = n71.w;
let n76 = (n72 * n72);
n15 = (n15 + select(f32(0), n76, n60));
let n77 = (n73 * n73);
n15 = (n15 + select(f32(0), n77, n60));
let n78 = (n74 * n74);
n15 = (n15 + select(f32(0), n78, n60));
let n79 = (n75 * n75);
n15 = (n15 + select(f32(0), n79, n60));
let n80 = n7 + 96u;
let n81 = n80 < n11;
let n82 = min(n80, n11 - 1u);
let n83 = n12 + n82;
let n84 = 4u * n83 + 0u;
let n85 = 4u * n82 + 0u;
let n86 = 4u * n83 + 1u;
let n87 = 4u * n82 + 1u;
let n88 = 4u * n83 + 2u;
let n89 = 4u * n82 + 2u;
let n90 = 4u * n83 + 3u;
let n91 = 4u * n82 + 3u;
let n92 = n29[n83];
let n93 = n92.x;
let n94 = n92.y;
let n95 = n92.z;
let n96 = n92.w;
let n97 = (n93 * n93);
n15 = (n15 + select(f32(0), n97, n81));
let n98 = (n94 * n94);
n15 = (n15 + select(f32(0), n98, n81));
let n99 = (n95 * n95);
n15 = (n15 + select(f32(0), n99, n81));
let n100 = (n96 * n96);
n15 = (n15 + select(f32(0), n100, n81));
let n101 = n7 + 128u;
let n102 = n101 < n11;
let n103 = min(n101, n11 - 1u);
let n104 = n12 + n103;
let n105 = 4u * n104 + 0u;
let n106 = 4u * n103 + 0u;
let n107 = 4u * n104 + 1u;
let n108 = 4u * n103 + 1u;
let n109 = 4u * n104 + 2u;
let n110 = 4u * n103 + 2u;
let n111 = 4u * n104 + 3u;
let n112 = 4u * n103 + 3u;
let n113 = n29[n104];
let n114 = n113.x;
let n115 = n113.y;
let n116 = n113.z;
let n117 = n113.w;
let n118 = (n114 * n114);
n15 = (n15 + select(f32(0), n118, n102));
let n119 = (n115 * n115);
n15 = (n15 + select(f32(0), n119, n102));
let n120 = (n116 * n116);
n15 = (n15 + select(f32(0), n120, n102));
let n121 = (n117 * n117);
n15 = (n15 + select(f32(0), n121, n102));
let n122 = n7 + 160u;
let n123 = n122 < n11;
let n124 = min(n122, n11 - 1u);
let n125 = n12 + n124;
let n126 = 4u * n125 + 0u;
let n127 = 4u * n124 + 0u;
let n128 = 4u * n125 + 1u;
let n129 = 4u * n124 + 1u;
let n130 = 4u * n125 + 2u;
let n131 = 4u * n124 + 2u;
let n132 = 4u * n125 + 3u;
let n133 = 4u * n124 + 3u;
let n134 = n29[n125];
let n135 = n134.x;
let n136 = n134.y;
let n137 = n134.z;
let n138 = n134.w;
let n139 = (n135 * n135);
n15 = (n15 + select(f32(0), n139, n123));
let n140 = (n136 * n136);
n15 = (n15 + select(f32(0), n140, n123));
let n141 = (n137 * n137);
n15 = (n15 + select(f32(0), n141, n123));
let n142 = (n138 * n138);
n15 = (n15 + select(f32(0), n142, n123));
let n143 = n7 + 192u;
let n144 = n143 < n11;
let n145 = min(n143, n11 - 1u);
let n146 = n12 + n145;
let n147 = 4u * n146 + 0u;
let n148 = 4u * n145 + 0u;
let n149 = 4u * n146 + 1u;
let n150 = 4u * n145 + 1u;
let n151 = 4u * n146 + 2u;
let n152 = 4u * n145 + 2u;
let n153 = 4u * n146 + 3u;
let n154 = 4u * n145 + 3u;
let n155 = n29[n146];
let n156 = n155.x;
let n157 = n155.y;
let n158 = n155.z;
let n159 = n155.w;
let n160 = (n156 * n156);
n15 = (n15 + select(f32(0), n160, n144));
let n161 = (n157 * n157);
n15 = (n15 + select(f32(0), n161, n144));
let n162 = (n158 * n158);
n15 = (n15 + select(f32(0), n162, n144));
let n163 = (n159 * n159);
n15 = (n15 + select(f32(0), n163, n144));
let n164 = n7 + 224u;
let n165 = n164 < n11;
let n166 = min(n164, n11 - 1u);
let n167 = n12 + n166;
let n168 = 4u * n167 + 0u;
let n169 = 4u * n166 + 0u;
let n170 = 4u * n167 + 1u;
let n171 = 4u * n166 + 1u;
let n172 = 4u * n167 + 2u;
let n173 = 4u * n166 + 2u;
let n174 = 4u * n167 + 3u;
let n175 = 4u * n166 + 3u;
let n176 = n29[n167];
let n177 = n176.x;
let n178 = n176.y;
let n179 = n176.z;
let n180 = n176.w;
let n181 = (n177 * n177);
n15 = (n15 + select(f32(0), n181, n165));
let n182 = (n178 * n178);
n15 = (n15 + select(f32(0), n182, n165));
let n183 = (n179 * n179);
n15 = (n15 + select(f32(0), n183, n165));
let n184 = (n180 * n180);
n15 = (n15 + select(f32(0), n184, n165));
n185[n3] = n15;
workgroupBarrier();
for (var n186 = 16u; n186 > 0u; n186 >>= 1u) {
if (n7 < n186) { n185[n3] = (n185[n3] + n185[n3 + n186]); }
workgroupBarrier();
}
let n187 = n185[n3 - n7];
workgroupBarrier();
let n188 = n189(n187, n13);
let n190 = (n188 + n14);
let n191 = inverseSqrt(n190);
let n192 = (n191 * n191);
let n193 = (n30 * n191);
let n194 = (n31 * n191);
let n195 = (n32 * n191);
let n196 = (n33 * n191);
let n197 = n198[n21];
let n199 = (n193 * n197);
let n200 = n198[n23];
let n201 = (n194 * n200);
let n202 = n198[n25];
let n203 = (n195 * n202);
let n204 = n198[n27];
let n205 = (n196 * n204);
if (n9 && n17) {
n206[n19] = vec4<f32>(n193, n194, n195, n196);
n207[n19] = vec4<f32>(n199, n201, n203, n205);
}
let n208 = (n51 * n191);
let n209 = (n52 * n191);
let n210 = (n53 * n191);
let n211 = (n54 * n191);
let n212 = n198[n43];
let n213 = (n208 * n212);
let n214 = n198[n45];
let n215 = (n209 * n214);
let n216 = n198[n47];
let n217 = (n210 * n216);
let n218 = n198[n49];
let n219 = (n211 * n218);
if (n9 && n39) {
n206[n41] = vec4<f32>(n208, n209, n210, n211);
n207[n41] = vec4<f32>(n213, n215, n217, n219);
}
let n220 = (n72 * n191);
let n221 = (n73 * n191);
let n222 = (n74 * n191);
let n223 = (n75 * n191);
let n224 = n198[n64];
let n225 = (n220 * n224);
let n226 = n198[n66];
let n227 = (n221 * n226);
let n228 = n198[n68];
let n229 = (n222 * n228);
let n230 = n198[n70];
let n231 = (n223 * n230);
if (n9 && n60) {
n206[n62] = vec4<f32>(n220, n221, n222, n223);
n207[n62] = vec4<f32>(n225, n227, n229, n231);
}
let n232 = (n93 * n191);
let n233 = (n94 * n191);
let n234 = (n95 * n191);
let n235 = (n96 * n191);
let n236 = n198[n85];
let n237 = (n232 * n236);
let n238 = n198[n87];
let n239 = (n233 * n238);
let n240 = n198[n89];
let n241 = (n234 * n240);
let n242 = n198[n91];
let n243 = (n235 * n242);
if (n9 && n81) {
n206[n83] = vec4<f32>(n232, n233, n234, n235);
n207[n83] = vec4<f32>(n237, n239, n241, n243);
}
let n244 = (n114 * n191);
let n245 = (n115 * n191);
let n246 = (n116 * n191);
let n247 = (n117 * n191);
let n248 = n198[n106];
let n249 = (n244 * n248);
let n250 = n198[n108];
let n251 = (n245 * n250);
let n252 = n198[n110];
let n253 = (n246 * n252);
let n254 = n198[n112];
let n255 = (n247 * n254);
if (n9 && n102) {
n206[n104] = vec4<f32>(n244, n245, n246, n247);
n207[n104] = vec4<f32>(n249, n251, n253, n255);
}
let n256 = (n135 * n191);
let n257 = (n136 * n191);
let n258 = (n137 * n191);
let n259 = (n138 * n191);
let n260 = n198[n127];
let n261 = (n256 * n260);
let n262 = n198[n129];
let n263 = (n257 * n262);
let n264 = n198[n131];
let n265 = (n258 * n264);
let n266 = n198[n133];
let n267 = (n259 * n266);
if (n9 && n123) {
n206[n125] = vec4<f32>(n256, n257, n258, n259);
n207[n125] = vec4<f32>(n261, n263, n265, n267);
}
let n268 = (n156 * n191);
let n269 = (n157 * n191);
let n270 = (n158 * n191);
let n271 = (n159 * n191);
let n272 = n198[n148];
let n273 = (n268 * n272);
let n274 = n198[n150];
let n275 = (n269 * n274);
let n276 = n198[n152];
let n277 = (n270 * n276);
let n278 = n198[n154];
let n279 = (n271 * n278);
if (n9 && n144) {
n206[n146] = vec4<f32>(n268, n269, n270, n271);
n207[n146] = vec4<f32>(n273, n275, n277, n279);
}
let n280 = (n177 * n191);
let n281 = (n178 * n191);
let n282 = (n179 * n191);
let n283 = (n180 * n191);
let n284 = n198[n169];
let n285 = (n280 * n284);
let n286 = n198[n171];
let n287 = (n281 * n286);
let n288 = n198[n173];
let n289 = (n282 * n288);
let n290 = n198[n175];
let n291 = (n283 * n290);
if (n9 && n165) {
n206[n167] = vec4<f32>(n280, n281, n282, n283);
n207[n167] = vec4<f32>(n285, n287, n289, n291);
}
if (n7 == 0u && n9) {
n292[n10] = n191;
n293[n10] = n192;
}
}
// b809678752a9
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
if ((n3 + 0u) < n7[0].z && n4 < n7[0].w) { let n8 = n1.n9 + (n3 + 0u) * n7[2].x + n4 * n7[1].w; n6.x = n10((n11[n8 >> 1u] >> ((n8 & 1u) << 4u)) & 0xffffu); }
if ((n3 + 1u) < n7[0].z && n4 < n7[0].w) { let n12 = n1.n9 + (n3 + 1u) * n7[2].x + n4 * n7[1].w; n6.y = n10((n11[n12 >> 1u] >> ((n12 & 1u) << 4u)) & 0xffffu); }
if ((n3 + 2u) < n7[0].z && n4 < n7[0].w) { let n13 = n1.n9 + (n3 + 2u) * n7[2].x + n4 * n7[1].w; n6.z = n10((n11[n13 >> 1u] >> ((n13 & 1u) << 4u)) & 0xffffu); }
if ((n3 + 3u) < n7[0].z && n4 < n7[0].w) { let n14 = n1.n9 + (n3 + 3u) * n7[2].x + n4 * n7[1].w; n6.w = n10((n11[n14 >> 1u] >> ((n14 & 1u) << 4u)) & 0xffffu); }
return n6;
}
// b81d84ccbd7e
fn n0(n1: u32, n2: vec2<u32>, n3: u32, n4: u32, n5: u32) -> vec4<f32> {
if (n1 == 1u) { return n6(n7(n2.x, n3, n4) + n5); }
return n8(n9(n2.y, n3, n4) + n5);
}
// b821ec5f9ac2
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
let n7 = u32((f32(n4) + 0.5) * bitcast<f32>(n8[6].w));
let n9 = n4 - n7 * n8[6].z;
let n10 = u32((f32(n7) + 0.5) * bitcast<f32>(n8[5].z));
let n11 = n7 - n10 * n8[5].y;
let n12 = n1.n13 + n9 + n11 * n8[5].w + n10 * n8[4].z;
let n14 = n8[10].z + n11;
let n15 = n8[11].x + n9;
let n16 = n3 + 0u;
let n17 = u32((f32(n16) + 0.5) * bitcast<f32>(n8[9].y));
let n18 = n16 - n17 * n8[9].x;
let n19 = n12 + n18 + n17 * n8[8].y;
let n20 = n14 + n17;
let n21 = n15 + n18;
if (n16 < n8[0].z && n4 < n8[0].w && n20 < n8[10].w && n21 < n8[11].y) { n6.x = n22[n19]; }
let n23 = n3 + 1u;
let n24 = u32((f32(n23) + 0.5) * bitcast<f32>(n8[9].y));
let n25 = n23 - n24 * n8[9].x;
let n26 = n12 + n25 + n24 * n8[8].y;
let n27 = n14 + n24;
let n28 = n15 + n25;
if (n23 < n8[0].z && n4 < n8[0].w && n27 < n8[10].w && n28 < n8[11].y) { n6.y = n22[n26]; }
let n29 = n3 + 2u;
let n30 = u32((f32(n29) + 0.5) * bitcast<f32>(n8[9].y));
let n31 = n29 - n30 * n8[9].x;
let n32 = n12 + n31 + n30 * n8[8].y;
let n33 = n14 + n30;
let n34 = n15 + n31;
if (n29 < n8[0].z && n4 < n8[0].w && n33 < n8[10].w && n34 < n8[11].y) { n6.z = n22[n32]; }
let n35 = n3 + 3u;
let n36 = u32((f32(n35) + 0.5) * bitcast<f32>(n8[9].y));
let n37 = n35 - n36 * n8[9].x;
let n38 = n12 + n37 + n36 * n8[8].y;
let n39 = n14 + n36;
let n40 = n15 + n37;
if (n35 < n8[0].z && n4 < n8[0].w && n39 < n8[10].w && n40 < n8[11].y) { n6.w = n22[n38]; }
return n6;
}
// b855c71ba978
@group(0) @binding(10) var<uniform> n0: array<vec4<u32>, 8>;
// b8cbc365b67d
@group(0) @binding(1) var<storage, read> n0: array<f32>;
// b8cdd4e903ed
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = n30;
let n35 = (n34 * n34);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n32;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n33;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n7 + 32u;
let n43 = n42 < n11;
let n44 = min(n42, n11 - 1u);
let n45 = n12 + n44;
let n46 = 4u * n45 + 0u;
let n47 = 4u * n44 + 0u;
let n48 = 4u * n45 + 1u;
let n49 = 4u * n44 + 1u;
let n50 = 4u * n45 + 2u;
let n51 = 4u * n44 + 2u;
let n52 = 4u * n45 + 3u;
let n53 = 4u * n44 + 3u;
let n54 = vec4<f32>(n29[n45]);
let n55 = n54.x;
let n56 = n54.y;
let n57 = n54.z;
let n58 = n54.w;
let n59 = n55;
let n60 = (n59 * n59);
n15 = (n15 + select(f32(0), n60, n43));
let n61 = n56;
let n62 = (n61 * n61);
n15 = (n15 + select(f32(0), n62, n43));
let n63 = n57;
let n64 = (n63 * n63);
n15 = (n15 + select(f32(0), n64, n43));
let n65 = n58;
let n66 = (n65 * n65);
n15 = (n15 + select(f32(0), n66, n43));
let n67 = n7 + 64u;
let n68 = n67 < n11;
let n69 = min(n67, n11 - 1u);
let n70 = n12 + n69;
let n71 = 4u * n70 + 0u;
let n72 = 4u * n69 + 0u;
let n73 = 4u * n70 + 1u;
let n74 = 4u * n69 + 1u;
let n75 = 4u * n70 + 2u;
let n76 = 4u * n69 + 2u;
let n77 = 4u * n70 + 3u;
let n78 = 4u * n69 + 3u;
let n79 = vec4<f32>(n29[n70]);
let n80 = n79.x;
let n81 = n79.y;
let n82 = n79.z;
let n83 = n79.w;
let n84 = n80;
let n85 = (n84 * n84);
n15 = (n15 + select(f32(0), n85, n68));
let n86 = n81;
let n87 = (n86 * n86);
n15 = (n15 + select(f32(0), n87, n68));
let n88 = n82;
let n89 = (n88 * n88);
n15 = (n15 + select(f32(0), n89, n68));
let n90 = n83;
let n91 = (n90 * n90);
n15 = (n15 + select(f32(0), n91, n68));
let n92 = n7 + 96u;
let n93 = n92 < n11;
let n94 = min(n92, n11 - 1u);
let n95 = n12 + n94;
let n96 = 4u * n95 + 0u;
let n97 = 4u * n94 + 0u;
let n98 = 4u * n95 + 1u;
let n99 = 4u * n94 + 1u;
let n100 = 4u * n95 + 2u;
let n101 = 4u * n94 + 2u;
let n102 = 4u * n95 + 3u;
let n103 = 4u * n94 + 3u;
let n104 = vec4<f32>(n29[n95]);
let n105 = n104.x;
let n106 = n104.y;
let n107 = n104.z;
let n108 = n104.w;
let n109 = n105;
let n110 = (n109 * n109);
n15 = (n15 + select(f32(0), n110, n93));
let n111 = n106;
let n112 = (n111 * n111);
n15 = (n15 + select(f32(0), n112, n93));
let n113 = n107;
let n114 = (n113 * n113);
n15 = (n15 + select(f32(0), n114, n93));
let n115 = n108;
let n116 = (n115 * n115);
n15 = (n15 + select(f32(0), n116, n93));
let n117 = n7 + 128u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = vec4<f32>(n29[n120]);
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
let n134 = n130;
let n135 = (n134 * n134);
n15 = (n15 + select(f32(0), n135, n118));
let n136 = n131;
let n137 = (n136 * n136);
n15 = (n15 + select(f32(0), n137, n118));
let n138 = n132;
let n139 = (n138 * n138);
n15 = (n15 + select(f32(0), n139, n118));
let n140 = n133;
let n141 = (n140 * n140);
n15 = (n15 + select(f32(0), n141, n118));
let n142 = n7 + 160u;
let n143 = n142 < n11;
let n144 = min(n142, n11 - 1u);
let n145 = n12 + n144;
let n146 = 4u * n145 + 0u;
let n147 = 4u * n144 + 0u;
let n148 = 4u * n145 + 1u;
let n149 = 4u * n144 + 1u;
let n150 = 4u * n145 + 2u;
let n151 = 4u * n144 + 2u;
let n152 = 4u * n145 + 3u;
let n153 = 4u * n144 + 3u;
let n154 = vec4<f32>(n29[n145]);
let n155 = n154.x;
let n156 = n154.y;
let n157 = n154.z;
let n158 = n154.w;
let n159 = n155;
let n160 = (n159 * n159);
n15 = (n15 + select(f32(0), n160, n143));
let n161 = n156;
let n162 = (n161 * n161);
n15 = (n15 + select(f32(0), n162, n143));
let n163 = n157;
let n164 = (n163 * n163);
n15 = (n15 + select(f32(0), n164, n143));
let n165 = n158;
let n166 = (n165 * n165);
n15 = (n15 + select(f32(0), n166, n143));
let n167 = n7 + 192u;
let n168 = n167 < n11;
let n169 = min(n167, n11 - 1u);
let n170 = n12 + n169;
let n171 = 4u * n170 + 0u;
let n172 = 4u * n169 + 0u;
let n173 = 4u * n170 + 1u;
let n174 = 4u * n169 + 1u;
let n175 = 4u * n170 + 2u;
let n176 = 4u * n169 + 2u;
let n177 = 4u * n170 + 3u;
let n178 = 4u * n169 + 3u;
let n179 = vec4<f32>(n29[n170]);
let n180 = n179.x;
let n181 = n179.y;
let n182 = n179.z;
let n183 = n179.w;
let n184 = n180;
let n185 = (n184 * n184);
n15 = (n15 + select(f32(0), n185, n168));
let n186 = n181;
let n187 = (n186 * n186);
n15 = (n15 + select(f32(0), n187, n168));
let n188 = n182;
let n189 = (n188 * n188);
n15 = (n15 + select(f32(0), n189, n168));
let n190 = n183;
let n191 = (n190 * n190);
n15 = (n15 + select(f32(0), n191, n168));
let n192 = n7 + 224u;
let n193 = n192 < n11;
let n194 = min(n192, n11 - 1u);
let n195 = n12 + n194;
let n196 = 4u * n195 + 0u;
let n197 = 4u * n194 + 0u;
let n198 = 4u * n195 + 1u;
let n199 = 4u * n194 + 1u;
let n200 = 4u * n195 + 2u;
let n201 = 4u * n194 + 2u;
let n202 = 4u * n195 + 3u;
let n203 = 4u * n194 + 3u;
let n204 = vec4<f32>(n29[n195]);
let n205 = n204.x;
let n206 = n204.y;
let n207 = n204.z;
let n208 = n204.w;
let n209 = n205;
let n210 = (n209 * n209);
n15 = (n15 + select(f32(0), n210, n193));
let n211 = n206;
let n212 = (n211 * n211);
n15 = (n15 + select(f32(0), n212, n193));
let n213 = n207;
let n214 = (n213 * n213);
n15 = (n15 + select(f32(0), n214, n193));
let n215 = n208;
let n216 = (n215 * n215);
n15 = (n15 + select(f32(0), n216, n193));
n217[n3] = n15;
workgroupBarrier();
for (var n218 = 16u; n218 > 0u; n218 >>= 1u) {
if (n7 < n218) { n217[n3] = (n217[n3] + n217[n3 + n218]); }
workgroupBarrier();
}
let n219 = n217[n3 - n7];
workgroupBarrier();
let n220 = n221(n219, n13);
let n222 = (n220 + n14);
let n223 = inverseSqrt(n222);
let n224 = (n223 * n223);
let n225 = (n34 * n223);
let n226 = f32(n227[n21]);
let n228 = n226;
let n229 = (n225 * n228);
let n230 = n229;
let n231 = (n36 * n223);
let n232 = f32(n227[n23]);
let n233 = n232;
let n234 = (n231 * n233);
let n235 = n234;
let n236 = (n38 * n223);
let n237 = f32(n227[n25]);
let n238 = n237;
let n239 = (n236 * n238);
let n240 = n239;
let n241 = (n40 * n223);
let n242 = f32(n227[n27]);
let n243 = n242;
let n244 = (n241 * n243);
let n245 = n244;
if (n9 && n17) {
n246[n19] = vec4<f16>(vec4<f32>(n230, n235, n240, n245));
}
let n247 = (n59 * n223);
let n248 = f32(n227[n47]);
let n249 = n248;
let n250 = (n247 * n249);
let n251 = n250;
let n252 = (n61 * n223);
let n253 = f32(n227[n49]);
let n254 = n253;
let n255 = (n252 * n254);
let n256 = n255;
let n257 = (n63 * n223);
let n258 = f32(n227[n51]);
let n259 = n258;
let n260 = (n257 * n259);
let n261 = n260;
let n262 = (n65 * n223);
let n263 = f32(n227[n53]);
let n264 = n263;
let n265 = (n262 * n264);
let n266 = n265;
if (n9 && n43) {
n246[n45] = vec4<f16>(vec4<f32>(n251, n256, n261, n266));
}
let n267 = (n84 * n223);
let n268 = f32(n227[n72]);
let n269 = n268;
let n270 = (n267 * n269);
let n271 = n270;
let n272 = (n86 * n223);
let n273 = f32(n227[n74]);
let n274 = n273;
let n275 = (n272 * n274);
let n276 = n275;
let n277 = (n88 * n223);
let n278 = f32(n227[n76]);
let n279 = n278;
let n280 = (n277 * n279);
let n281 = n280;
let n282 = (n90 * n223);
let n283 = f32(n227[n78]);
let n284 = n283;
let n285 = (n282 * n284);
let n286 = n285;
if (n9 && n68) {
n246[n70] = vec4<f16>(vec4<f32>(n271, n276, n281, n286));
}
let n287 = (n109 * n223);
let n288 = f32(n227[n97]);
let n289 = n288;
let n290 = (n287 * n289);
let n291 = n290;
let n292 = (n111 * n223);
let n293 = f32(n227[n99]);
let n294 = n293;
let n295 = (n292 * n294);
let n296 = n295;
let n297 = (n113 * n223);
let n298 = f32(n227[n101]);
let n299 = n298;
let n300 = (n297 * n299);
let n301 = n300;
let n302 = (n115 * n223);
let n303 = f32(n227[n103]);
let n304 = n303;
let n305 = (n302 * n304);
let n306 = n305;
if (n9 && n93) {
n246[n95] = vec4<f16>(vec4<f32>(n291, n296, n301, n306));
}
let n307 = (n134 * n223);
let n308 = f32(n227[n122]);
let n309 = n308;
let n310 = (n307 * n309);
let n311 = n310;
let n312 = (n136 * n223);
let n313 = f32(n227[n124]);
let n314 = n313;
let n315 = (n312 * n314);
let n316 = n315;
let n317 = (n138 * n223);
let n318 = f32(n227[n126]);
let n319 = n318;
let n320 = (n317 * n319);
let n321 = n320;
let n322 = (n140 * n223);
let n323 = f32(n227[n128]);
let n324 = n323;
let n325 = (n322 * n324);
let n326 = n325;
if (n9 && n118) {
n246[n120] = vec4<f16>(vec4<f32>(n311, n316, n321, n326));
}
let n327 = (n159 * n223);
let n328 = f32(n227[n147]);
let n329 = n328;
let n330 = (n327 * n329);
let n331 = n330;
let n332 = (n161 * n223);
let n333 = f32(n227[n149]);
let n334 = n333;
let n335 = (n332 * n334);
let n336 = n335;
let n337 = (n163 * n223);
let n338 = f32(n227[n151]);
let n339 = n338;
let n340 = (n337 * n339);
let n341 = n340;
let n342 = (n165 * n223);
let n343 = f32(n227[n153]);
let n344 = n343;
let n345 = (n342 * n344);
let n346 = n345;
if (n9 && n143) {
n246[n145] = vec4<f16>(vec4<f32>(n331, n336, n341, n346));
}
let n347 = (n184 * n223);
let n348 = f32(n227[n172]);
let n349 = n348;
let n350 = (n347 * n349);
let n351 = n350;
let n352 = (n186 * n223);
let n353 = f32(n227[n174]);
let n354 = n353;
let n355 = (n352 * n354);
let n356 = n355;
let n357 = (n188 * n223);
let n358 = f32(n227[n176]);
let n359 = n358;
let n360 = (n357 * n359);
let n361 = n360;
let n362 = (n190 * n223);
let n363 = f32(n227[n178]);
let n364 = n363;
let n365 = (n362 * n364);
let n366 = n365;
if (n9 && n168) {
n246[n170] = vec4<f16>(vec4<f32>(n351, n356, n361, n366));
}
let n367 = (n209 * n223);
let n368 = f32(n227[n197]);
let n369 = n368;
let n370 = (n367 * n369);
let n371 = n370;
let n372 = (n211 * n223);
let n373 = f32(n227[n199]);
let n374 = n373;
let n375 = (n372 * n374);
let n376 = n375;
let n377 = (n213 * n223);
let n378 = f32(n227[n201]);
let n379 = n378;
let n380 = (n377 * n379);
let n381 = n380;
let n382 = (n215 * n223);
let n383 = f32(n227[n203]);
let n384 = n383;
let n385 = (n382 * n384);
let n386 = n385;
if (n9 && n193) {
n246[n195] = vec4<f16>(vec4<f32>(n371, n376, n381, n386));
}
if (n7 == 0u && n9) {
n387[n10] = n223;
n388[n10] = n224;
}
}
// b973d17a6eb7
fn n0(n1: f32, n2: f32) -> f32 {
let n3 = select(1.0, 0.25, abs(n2) > 4e37);
return (n1 * n3) / (n2 * n3);
}
// b99267c06782
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
let n6 = (n1.n7 + n4 * n8[1].w + n3) >> 2u;
let n9 = n10(n6);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(vec4<f32>(n11, n12, n13, n14));
}
// bad12e267124
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[2u * n1];
let n10 = n9[2u * n1 + 1u];
let n11 = n12((n8 >> 0u) & 0xffffu);
let n13 = n12((n8 >> 16u) & 0xffffu);
let n14 = n12((n10 >> 0u) & 0xffffu);
let n15 = n12((n10 >> 16u) & 0xffffu);
let n16 = n11;
let n17 = n18(n16);
let n19 = n17;
let n20 = n13;
let n21 = n18(n20);
let n22 = n21;
let n23 = n14;
let n24 = n18(n23);
let n25 = n24;
let n26 = n15;
let n27 = n18(n26);
let n28 = n27;
let n29 = bitcast<i32>(n3[3].w);
let n30 = n4 / n3[0].w;
let n31 = (n4 - n30 * n3[0].w) + n30 * n3[0].z;
let n32 = bitcast<i32>(n31);
let n33 = bitcast<i32>(n3[4].x);
let n34 = (n32 * n33);
let n35 = (n29 + n34);
let n36 = 0u;
let n37 = n38[n36];
let n39 = bitcast<i32>(n3[4].y);
let n40 = n41(n37, n39);
let n42 = bitcast<i32>(n3[4].z);
let n43 = (n40 * n42);
let n44 = (n35 + n43);
let n45 = n5 / n3[0].w;
let n46 = (n5 - n45 * n3[0].w) + n45 * n3[0].z;
let n47 = bitcast<i32>(n46);
let n48 = (n47 * n33);
let n49 = (n29 + n48);
let n50 = 0u;
let n51 = n38[n50];
let n52 = n41(select(0, n51, 4u * n1 + 1u <= n2), n39);
let n53 = (n52 * n42);
let n54 = (n49 + n53);
let n55 = n6 / n3[0].w;
let n56 = (n6 - n55 * n3[0].w) + n55 * n3[0].z;
let n57 = bitcast<i32>(n56);
let n58 = (n57 * n33);
let n59 = (n29 + n58);
let n60 = 0u;
let n61 = n38[n60];
let n62 = n41(select(0, n61, 4u * n1 + 2u <= n2), n39);
let n63 = (n62 * n42);
let n64 = (n59 + n63);
let n65 = n7 / n3[0].w;
let n66 = (n7 - n65 * n3[0].w) + n65 * n3[0].z;
let n67 = bitcast<i32>(n66);
let n68 = (n67 * n33);
let n69 = (n29 + n68);
let n70 = 0u;
let n71 = n38[n70];
let n72 = n41(select(0, n71, 4u * n1 + 3u <= n2), n39);
let n73 = (n72 * n42);
let n74 = (n69 + n73);
atomicAnd(&n75[u32(n44) >> 1u], ~(0xffffu << ((u32(n44) & 1u) << 4u))); atomicOr(&n75[u32(n44) >> 1u], n76(n19) << ((u32(n44) & 1u) << 4u));
if (4u * n1 + 1u <= n2) { atomicAnd(&n75[u32(n54) >> 1u], ~(0xffffu << ((u32(n54) & 1u) << 4u))); atomicOr(&n75[u32(n54) >> 1u], n76(n22) << ((u32(n54) & 1u) << 4u));
}
if (4u * n1 + 2u <= n2) { atomicAnd(&n75[u32(n64) >> 1u], ~(0xffffu << ((u32(n64) & 1u) << 4u))); atomicOr(&n75[u32(n64) >> 1u], n76(n25) << ((u32(n64) & 1u) << 4u));
}
if (4u * n1 + 3u <= n2) { atomicAnd(&n75[u32(n74) >> 1u], ~(0xffffu << ((u32(n74) & 1u) << 4u))); atomicOr(&n75[u32(n74) >> 1u], n76(n28) << ((u32(n74) & 1u) << 4u));
}
}
// bb1fd915bd6b
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 8>;
// bb2473f04a12
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[1].z;
}
switch n6 {
case 0u: {
{ var n3 = z;
n2.n7 = n5[2].y;
}
}
default: {
{ var n3 = z;
n2.n7 = n5[4].w;
}
}
}
return n2;
}
// bbcd3dfde037
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = bitcast<f32>(n3[2].z);
let n16 = select(n15, n13, n11);
let n17 = n18[n1];
let n19 = n17.x;
let n20 = n17.y;
let n21 = n17.z;
let n22 = n17.w;
let n23 = (n16 + n19);
let n24 = n5 / n3[1].x;
let n25 = n5 - n24 * n3[1].x - n3[1].y;
let n26 = n24 - n3[0].z;
let n27 = n25 < n3[1].z && n26 < n3[0].w;
let n28 = select(0u, n25 + n26 * n3[1].z, n27);
let n29 = n14[n28];
let n30 = select(n15, n29, n27);
let n31 = (n30 + n20);
let n32 = n6 / n3[1].x;
let n33 = n6 - n32 * n3[1].x - n3[1].y;
let n34 = n32 - n3[0].z;
let n35 = n33 < n3[1].z && n34 < n3[0].w;
let n36 = select(0u, n33 + n34 * n3[1].z, n35);
let n37 = n14[n36];
let n38 = select(n15, n37, n35);
let n39 = (n38 + n21);
let n40 = n7 / n3[1].x;
let n41 = n7 - n40 * n3[1].x - n3[1].y;
let n42 = n40 - n3[0].z;
let n43 = n41 < n3[1].z && n42 < n3[0].w;
let n44 = select(0u, n41 + n42 * n3[1].z, n43);
let n45 = n14[n44];
let n46 = select(n15, n45, n43);
let n47 = (n46 + n22);
n48[n1] = vec4<f32>(n23, n31, n39, n47);
}
// bc7e416ea42b
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[2u * n1];
let n5 = n4[2u * n1 + 1u];
let n6 = n7((n3 >> 0u) & 0xffffu);
let n8 = n7((n3 >> 16u) & 0xffffu);
let n9 = n7((n5 >> 0u) & 0xffffu);
let n10 = n7((n5 >> 16u) & 0xffffu);
let n11 = bitcast<f32>(n12[5].x);
let n13 = (n6 * n11);
let n14 = bitcast<f32>(n12[5].y);
let n15 = (n6 * n14);
let n16 = n17(n15);
let n18 = bitcast<f32>(n12[5].z);
let n19 = (n16 + n18);
let n20 = (n13 * n19);
let n21 = n2 + 1u;
let n22 = (n8 * n11);
let n23 = (n8 * n14);
let n24 = n17(n23);
let n25 = (n24 + n18);
let n26 = (n22 * n25);
let n27 = n2 + 2u;
let n28 = (n9 * n11);
let n29 = (n9 * n14);
let n30 = n17(n29);
let n31 = (n30 + n18);
let n32 = (n28 * n31);
let n33 = n2 + 3u;
let n34 = (n10 * n11);
let n35 = (n10 * n14);
let n36 = n17(n35);
let n37 = (n36 + n18);
let n38 = (n34 * n37);
return vec4<f32>(n7(n39(n20)), n7(n39(n26)), n7(n39(n32)), n7(n39(n38)));
}
// bd5c15e7fc63
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
let n34 = n7 + 128u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n28[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n13 = n33(n13, select((-n14()), n47, n35));
n13 = n33(n13, select((-n14()), n48, n35));
n13 = n33(n13, select((-n14()), n49, n35));
n13 = n33(n13, select((-n14()), n50, n35));
n51[n3] = n13;
workgroupBarrier();
for (var n52 = 64u; n52 > 0u; n52 >>= 1u) {
if (n7 < n52) { n51[n3] = n33(n51[n3], n51[n3 + n52]); }
workgroupBarrier();
}
let n53 = n51[n3 - n7];
workgroupBarrier();
var n54: f32 = f32(0);
let n55 = (n29 - n53);
let n56 = n57(n55);
n54 = (n54 + select(f32(0), n56, n16));
let n58 = (n30 - n53);
let n59 = n57(n58);
n54 = (n54 + select(f32(0), n59, n16));
let n60 = (n31 - n53);
let n61 = n57(n60);
n54 = (n54 + select(f32(0), n61, n16));
let n62 = (n32 - n53);
let n63 = n57(n62);
n54 = (n54 + select(f32(0), n63, n16));
let n64 = (n47 - n53);
let n65 = n57(n64);
n54 = (n54 + select(f32(0), n65, n35));
let n66 = (n48 - n53);
let n67 = n57(n66);
n54 = (n54 + select(f32(0), n67, n35));
let n68 = (n49 - n53);
let n69 = n57(n68);
n54 = (n54 + select(f32(0), n69, n35));
let n70 = (n50 - n53);
let n71 = n57(n70);
n54 = (n54 + select(f32(0), n71, n35));
n51[n3] = n54;
workgroupBarrier();
for (var n52 = 64u; n52 > 0u; n52 >>= 1u) {
if (n7 < n52) { n51[n3] = (n51[n3] + n51[n3 + n52]); }
workgroupBarrier();
}
let n72 = n51[n3 - n7];
workgroupBarrier();
let n73 = n74(n56, n72);
let n75 = n74(n59, n72);
let n76 = n74(n61, n72);
let n77 = n74(n63, n72);
if (n9 && n16) {
n78[n18] = vec4<f32>(n73, n75, n76, n77);
}
let n79 = n74(n65, n72);
let n80 = n74(n67, n72);
let n81 = n74(n69, n72);
let n82 = n74(n71, n72);
if (n9 && n35) {
n78[n37] = vec4<f32>(n79, n80, n81, n82);
}
}
// be7c4c5d2b46
@group(0) @binding(4) var<storage, read_write> n0: array<atomic<u32>>;
// be8a6b1d4a03
fn n0(n1: u32, n2: n3, n4: u32, n5: u32) -> vec4<f32> {
let n6 = n2.n7 + n5 / n8;
let n9 = n4 + n5 % n8;
if (n6 >= n2.n10 || n9 >= n11) { return vec4<f32>(); }
return n12(n1, n2.n13, n2.n14, n6, n9);
}
// be965abb7ab3
fn n0(x: f32) -> f32 {
return n1(x, 0);
}
// bf031c7a80eb
@group(0) @binding(4) var<storage, read> n0: array<f32>;
// bf2921cc14f4
fn n0(n1: u32) {
let n2 = n3[1].y - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n15(n10);
let n16 = n15(n11);
let n17 = n15(n12);
let n18 = n15(n13);
n19[n1] = vec4<f32>(n14, n16, n17, n18);
}
// c01aa7f4f6b5
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].y + n3) >> 2u;
let n9 = n10[2u * n7];
let n11 = n10[2u * n7 + 1u];
let n12 = n13((n9 >> 0u) & 0xffffu);
let n14 = n13((n9 >> 16u) & 0xffffu);
let n15 = n13((n11 >> 0u) & 0xffffu);
let n16 = n13((n11 >> 16u) & 0xffffu);
return vec4<n5>(n12, n14, n15, n16);
}
// c022099a4d60
@group(0) @binding(3) var<storage, read> n0: array<u32>;
// c02b4eb915bc
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n7 + 32u;
let n39 = n38 < n11;
let n40 = min(n38, n11 - 1u);
let n41 = n12 + n40;
let n42 = 4u * n41 + 0u;
let n43 = 4u * n40 + 0u;
let n44 = 4u * n41 + 1u;
let n45 = 4u * n40 + 1u;
let n46 = 4u * n41 + 2u;
let n47 = 4u * n40 + 2u;
let n48 = 4u * n41 + 3u;
let n49 = 4u * n40 + 3u;
let n50 = n29[n41];
let n51 = n50.x;
let n52 = n50.y;
let n53 = n50.z;
let n54 = n50.w;
let n55 = (n51 * n51);
n15 = (n15 + select(f32(0), n55, n39));
let n56 = (n52 * n52);
n15 = (n15 + select(f32(0), n56, n39));
let n57 = (n53 * n53);
n15 = (n15 + select(f32(0), n57, n39));
let n58 = (n54 * n54);
n15 = (n15 + select(f32(0), n58, n39));
let n59 = n7 + 64u;
let n60 = n59 < n11;
let n61 = min(n59, n11 - 1u);
let n62 = n12 + n61;
let n63 = 4u * n62 + 0u;
let n64 = 4u * n61 + 0u;
let n65 = 4u * n62 + 1u;
let n66 = 4u * n61 + 1u;
let n67 = 4u * n62 + 2u;
let n68 = 4u * n61 + 2u;
let n69 = 4u * n62 + 3u;
let n70 = 4u * n61 + 3u;
let n71 = n29[n62];
let n72 = n71.x;
let n73 = n71.y;
let n74 = n71.z;
let n75 = n71.w;
let n76 = (n72 * n72);
n15 = (n15 + select(f32(0), n76, n60));
let n77 = (n73 * n73);
n15 = (n15 + select(f32(0), n77, n60));
let n78 = (n74 * n74);
n15 = (n15 + select(f32(0), n78, n60));
let n79 = (n75 * n75);
n15 = (n15 + select(f32(0), n79, n60));
let n80 = n7 + 96u;
let n81 = n80 < n11;
let n82 = min(n80, n11 - 1u);
let n83 = n12 + n82;
let n84 = 4u * n83 + 0u;
let n85 = 4u * n82 + 0u;
let n86 = 4u * n83 + 1u;
let n87 = 4u * n82 + 1u;
let n88 = 4u * n83 + 2u;
let n89 = 4u * n82 + 2u;
let n90 = 4u * n83 + 3u;
let n91 = 4u * n82 + 3u;
let n92 = n29[n83];
let n93 = n92.x;
let n94 = n92.y;
let n95 = n92.z;
let n96 = n92.w;
let n97 = (n93 * n93);
n15 = (n15 + select(f32(0), n97, n81));
let n98 = (n94 * n94);
n15 = (n15 + select(f32(0), n98, n81));
let n99 = (n95 * n95);
n15 = (n15 + select(f32(0), n99, n81));
let n100 = (n96 * n96);
n15 = (n15 + select(f32(0), n100, n81));
let n101 = n7 + 128u;
let n102 = n101 < n11;
let n103 = min(n101, n11 - 1u);
let n104 = n12 + n103;
let n105 = 4u * n104 + 0u;
let n106 = 4u * n103 + 0u;
let n107 = 4u * n104 + 1u;
let n108 = 4u * n103 + 1u;
let n109 = 4u * n104 + 2u;
let n110 = 4u * n103 + 2u;
let n111 = 4u * n104 + 3u;
let n112 = 4u * n103 + 3u;
let n113 = n29[n104];
let n114 = n113.x;
let n115 = n113.y;
let n116 = n113.z;
let n117 = n113.w;
let n118 = (n114 * n114);
n15 = (n15 + select(f32(0), n118, n102));
let n119 = (n115 * n115);
n15 = (n15 + select(f32(0), n119, n102));
let n120 = (n116 * n116);
n15 = (n15 + select(f32(0), n120, n102));
let n121 = (n117 * n117);
n15 = (n15 + select(f32(0), n121, n102));
let n122 = n7 + 160u;
let n123 = n122 < n11;
let n124 = min(n122, n11 - 1u);
let n125 = n12 + n124;
let n126 = 4u * n125 + 0u;
let n127 = 4u * n124 + 0u;
let n128 = 4u * n125 + 1u;
let n129 = 4u * n124 + 1u;
let n130 = 4u * n125 + 2u;
let n131 = 4u * n124 + 2u;
let n132 = 4u * n125 + 3u;
let n133 = 4u * n124 + 3u;
let n134 = n29[n125];
let n135 = n134.x;
let n136 = n134.y;
let n137 = n134.z;
let n138 = n134.w;
let n139 = (n135 * n135);
n15 = (n15 + select(f32(0), n139, n123));
let n140 = (n136 * n136);
n15 = (n15 + select(f32(0), n140, n123));
let n141 = (n137 * n137);
n15 = (n15 + select(f32(0), n141, n123));
let n142 = (n138 * n138);
n15 = (n15 + select(f32(0), n142, n123));
let n143 = n7 + 192u;
let n144 = n143 < n11;
let n145 = min(n143, n11 - 1u);
let n146 = n12 + n145;
let n147 = 4u * n146 + 0u;
let n148 = 4u * n145 + 0u;
let n149 = 4u * n146 + 1u;
let n150 = 4u * n145 + 1u;
let n151 = 4u * n146 + 2u;
let n152 = 4u * n145 + 2u;
let n153 = 4u * n146 + 3u;
let n154 = 4u * n145 + 3u;
let n155 = n29[n146];
let n156 = n155.x;
let n157 = n155.y;
let n158 = n155.z;
let n159 = n155.w;
let n160 = (n156 * n156);
n15 = (n15 + select(f32(0), n160, n144));
let n161 = (n157 * n157);
n15 = (n15 + select(f32(0), n161, n144));
let n162 = (n158 * n158);
n15 = (n15 + select(f32(0), n162, n144));
let n163 = (n159 * n159);
n15 = (n15 + select(f32(0), n163, n144));
let n164 = n7 + 224u;
let n165 = n164 < n11;
let n166 = min(n164, n11 - 1u);
let n167 = n12 + n166;
let n168 = 4u * n167 + 0u;
let n169 = 4u * n166 + 0u;
let n170 = 4u * n167 + 1u;
let n171 = 4u * n166 + 1u;
let n172 = 4u * n167 + 2u;
let n173 = 4u * n166 + 2u;
let n174 = 4u * n167 + 3u;
let n175 = 4u * n166 + 3u;
let n176 = n29[n167];
let n177 = n176.x;
let n178 = n176.y;
let n179 = n176.z;
let n180 = n176.w;
let n181 = (n177 * n177);
n15 = (n15 + select(f32(0), n181, n165));
let n182 = (n178 * n178);
n15 = (n15 + select(f32(0), n182, n165));
let n183 = (n179 * n179);
n15 = (n15 + select(f32(0), n183, n165));
let n184 = (n180 * n180);
n15 = (n15 + select(f32(0), n184, n165));
let n185 = subgroupAdd(n15);
let n186 = n185;
let n187 = n188(n186, n13);
let n189 = (n187 + n14);
let n190 = inverseSqrt(n189);
let n191 = (n190 * n190);
let n192 = (n30 * n190);
let n193 = (n31 * n190);
let n194 = (n32 * n190);
let n195 = (n33 * n190);
let n196 = n197[n21];
let n198 = (n192 * n196);
let n199 = n197[n23];
let n200 = (n193 * n199);
let n201 = n197[n25];
let n202 = (n194 * n201);
let n203 = n197[n27];
let n204 = (n195 * n203);
if (n9 && n17) {
n205[n19] = vec4<f32>(n192, n193, n194, n195);
n206[n19] = vec4<f32>(n198, n200, n202, n204);
}
let n207 = (n51 * n190);
let n208 = (n52 * n190);
let n209 = (n53 * n190);
let n210 = (n54 * n190);
let n211 = n197[n43];
let n212 = (n207 * n211);
let n213 = n197[n45];
let n214 = (n208 * n213);
let n215 = n197[n47];
let n216 = (n209 * n215);
let n217 = n197[n49];
let n218 = (n210 * n217);
if (n9 && n39) {
n205[n41] = vec4<f32>(n207, n208, n209, n210);
n206[n41] = vec4<f32>(n212, n214, n216, n218);
}
let n219 = (n72 * n190);
let n220 = (n73 * n190);
let n221 = (n74 * n190);
let n222 = (n75 * n190);
let n223 = n197[n64];
let n224 = (n219 * n223);
let n225 = n197[n66];
let n226 = (n220 * n225);
let n227 = n197[n68];
let n228 = (n221 * n227);
let n229 = n197[n70];
let n230 = (n222 * n229);
if (n9 && n60) {
n205[n62] = vec4<f32>(n219, n220, n221, n222);
n206[n62] = vec4<f32>(n224, n226, n228, n230);
}
let n231 = (n93 * n190);
let n232 = (n94 * n190);
let n233 = (n95 * n190);
let n234 = (n96 * n190);
let n235 = n197[n85];
let n236 = (n231 * n235);
let n237 = n197[n87];
let n238 = (n232 * n237);
let n239 = n197[n89];
let n240 = (n233 * n239);
let n241 = n197[n91];
let n242 = (n234 * n241);
if (n9 && n81) {
n205[n83] = vec4<f32>(n231, n232, n233, n234);
n206[n83] = vec4<f32>(n236, n238, n240, n242);
}
let n243 = (n114 * n190);
let n244 = (n115 * n190);
let n245 = (n116 * n190);
let n246 = (n117 * n190);
let n247 = n197[n106];
let n248 = (n243 * n247);
let n249 = n197[n108];
let n250 = (n244 * n249);
let n251 = n197[n110];
let n252 = (n245 * n251);
let n253 = n197[n112];
let n254 = (n246 * n253);
if (n9 && n102) {
n205[n104] = vec4<f32>(n243, n244, n245, n246);
n206[n104] = vec4<f32>(n248, n250, n252, n254);
}
let n255 = (n135 * n190);
let n256 = (n136 * n190);
let n257 = (n137 * n190);
let n258 = (n138 * n190);
let n259 = n197[n127];
let n260 = (n255 * n259);
let n261 = n197[n129];
let n262 = (n256 * n261);
let n263 = n197[n131];
let n264 = (n257 * n263);
let n265 = n197[n133];
let n266 = (n258 * n265);
if (n9 && n123) {
n205[n125] = vec4<f32>(n255, n256, n257, n258);
n206[n125] = vec4<f32>(n260, n262, n264, n266);
}
let n267 = (n156 * n190);
let n268 = (n157 * n190);
let n269 = (n158 * n190);
let n270 = (n159 * n190);
let n271 = n197[n148];
let n272 = (n267 * n271);
let n273 = n197[n150];
let n274 = (n268 * n273);
let n275 = n197[n152];
let n276 = (n269 * n275);
let n277 = n197[n154];
let n278 = (n270 * n277);
if (n9 && n144) {
n205[n146] = vec4<f32>(n267, n268, n269, n270);
n206[n146] = vec4<f32>(n272, n274, n276, n278);
}
let n279 = (n177 * n190);
let n280 = (n178 * n190);
let n281 = (n179 * n190);
let n282 = (n180 * n190);
let n283 = n197[n169];
let n284 = (n279 * n283);
let n285 = n197[n171];
let n286 = (n280 * n285);
let n287 = n197[n173];
let n288 = (n281 * n287);
let n289 = n197[n175];
let n290 = (n282 * n289);
if (n9 && n165) {
n205[n167] = vec4<f32>(n279, n280, n281, n282);
n206[n167] = vec4<f32>(n284, n286, n288, n290);
}
if (n7 == 0u && n9) {
n291[n10] = n190;
n292[n10] = n191;
}
}
// c04ce72200d5
fn n0(n1: u32, n2: u32) -> n3 { return coopLoad<n3>(&n4[n2 * n5 + n1 / 4u], n5); }
// c110ec38bc4b
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = vec4<f32>(n17[n7]);
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n18 * n3.x);
let n23 = (n19 * n3.y);
let n24 = (n20 * n3.z);
let n25 = (n21 * n3.w);
n26[n7] = vec4<f16>(vec4<f32>(n22, n23, n24, n25));
}
// c11b2b58f880
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].z + n4) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// c15d80d7825d
fn n0(n1: u32) {
let n2 = n3[6].y - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4;
let n9 = n10[n8];
let n11 = (n4 % n3[7].w);
let n12 = n13[n11];
let n14 = (n9 * n12);
let n15 = n4 / n3[9].z;
let n16 = n15 / n3[9].x;
let n17 = (n4 - n15 * n3[9].z) + (n15 - n16 * n3[9].x) * n3[9].y + n16 * n3[8].w + n3[10].x;
let n18 = n10[n17];
let n19 = (n4 % n3[10].w);
let n20 = n21[n19];
let n22 = (n18 * n20);
let n23 = (n14 + n22);
let n24 = n5;
let n25 = n10[n24];
let n26 = (n5 % n3[7].w);
let n27 = n13[n26];
let n28 = (n25 * n27);
let n29 = n5 / n3[9].z;
let n30 = n29 / n3[9].x;
let n31 = (n5 - n29 * n3[9].z) + (n29 - n30 * n3[9].x) * n3[9].y + n30 * n3[8].w + n3[10].x;
let n32 = n10[n31];
let n33 = (n5 % n3[10].w);
let n34 = n21[n33];
let n35 = (n32 * n34);
let n36 = (n28 + n35);
let n37 = n6;
let n38 = n10[n37];
let n39 = (n6 % n3[7].w);
let n40 = n13[n39];
let n41 = (n38 * n40);
let n42 = n6 / n3[9].z;
let n43 = n42 / n3[9].x;
let n44 = (n6 - n42 * n3[9].z) + (n42 - n43 * n3[9].x) * n3[9].y + n43 * n3[8].w + n3[10].x;
let n45 = n10[n44];
let n46 = (n6 % n3[10].w);
let n47 = n21[n46];
let n48 = (n45 * n47);
let n49 = (n41 + n48);
let n50 = n7;
let n51 = n10[n50];
let n52 = (n7 % n3[7].w);
let n53 = n13[n52];
let n54 = (n51 * n53);
let n55 = n7 / n3[9].z;
let n56 = n55 / n3[9].x;
let n57 = (n7 - n55 * n3[9].z) + (n55 - n56 * n3[9].x) * n3[9].y + n56 * n3[8].w + n3[10].x;
let n58 = n10[n57];
let n59 = (n7 % n3[10].w);
let n60 = n21[n59];
let n61 = (n58 * n60);
let n62 = (n54 + n61);
n63[n1] = vec4<f32>(n23, n36, n49, n62);
}
// c261dd0d2365
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[1].w);
let n15 = (n10 * n14);
let n16 = bitcast<f32>(n3[2].x);
let n17 = (n15 + n16);
let n18 = (n17 * n14);
let n19 = (n18 + n16);
let n20 = (n19 * n14);
let n21 = (n20 + n16);
let n22 = (n21 * n14);
let n23 = (n22 + n16);
let n24 = (n23 * n14);
let n25 = (n24 + n16);
let n26 = (n25 * n14);
let n27 = (n26 + n16);
let n28 = (n27 * n14);
let n29 = (n28 + n16);
let n30 = (n29 * n14);
let n31 = (n30 + n16);
let n32 = (n31 * n14);
let n33 = (n32 + n16);
let n34 = (n33 * n14);
let n35 = (n34 + n16);
let n36 = (n35 * n14);
let n37 = (n36 + n16);
let n38 = (n37 * n14);
let n39 = (n38 + n16);
let n40 = (n39 * n14);
let n41 = (n40 + n16);
let n42 = (n41 * n14);
let n43 = (n42 + n16);
let n44 = (n43 * n14);
let n45 = (n44 + n16);
let n46 = (n45 * n14);
let n47 = (n46 + n16);
let n48 = (n47 * n14);
let n49 = (n48 + n16);
let n50 = (n49 * n14);
let n51 = (n50 + n16);
let n52 = (n51 * n14);
let n53 = (n52 + n16);
let n54 = (n53 * n14);
let n55 = (n54 + n16);
let n56 = (n55 * n14);
let n57 = (n56 + n16);
let n58 = (n57 * n14);
let n59 = (n58 + n16);
let n60 = (n59 * n14);
let n61 = (n60 + n16);
let n62 = (n61 * n14);
let n63 = (n62 + n16);
let n64 = (n63 * n14);
let n65 = (n64 + n16);
let n66 = (n65 * n14);
let n67 = (n66 + n16);
let n68 = (n67 * n14);
let n69 = (n68 + n16);
let n70 = (n69 * n14);
let n71 = (n70 + n16);
let n72 = (n71 * n14);
let n73 = (n72 + n16);
let n74 = (n73 * n14);
let n75 = (n74 + n16);
let n76 = (n75 * n14);
let n77 = (n76 + n16);
let n78 = (n77 * n14);
let n79 = (n78 + n16);
let n80 = (n79 * n14);
let n81 = (n80 + n16);
let n82 = (n81 * n14);
let n83 = (n82 + n16);
let n84 = (n83 * n14);
let n85 = (n84 + n16);
let n86 = (n85 * n14);
let n87 = (n86 + n16);
let n88 = (n87 * n14);
let n89 = (n88 + n16);
let n90 = (n89 * n14);
let n91 = (n90 + n16);
let n92 = (n91 * n14);
let n93 = (n92 + n16);
let n94 = (n93 * n14);
let n95 = (n94 + n16);
let n96 = (n95 * n14);
let n97 = (n96 + n16);
let n98 = (n97 * n14);
let n99 = (n98 + n16);
let n100 = (n99 * n14);
let n101 = (n100 + n16);
let n102 = (n101 * n14);
let n103 = (n102 + n16);
let n104 = (n103 * n14);
let n105 = (n104 + n16);
let n106 = (n105 * n14);
let n107 = (n106 + n16);
let n108 = (n107 * n14);
let n109 = (n108 + n16);
let n110 = (n109 * n14);
let n111 = (n110 + n16);
let n112 = (n11 * n14);
let n113 = (n112 + n16);
let n114 = (n113 * n14);
let n115 = (n114 + n16);
let n116 = (n115 * n14);
let n117 = (n116 + n16);
let n118 = (n117 * n14);
let n119 = (n118 + n16);
let n120 = (n119 * n14);
let n121 = (n120 + n16);
let n122 = (n121 * n14);
let n123 = (n122 + n16);
let n124 = (n123 * n14);
let n125 = (n124 + n16);
let n126 = (n125 * n14);
let n127 = (n126 + n16);
let n128 = (n127 * n14);
let n129 = (n128 + n16);
let n130 = (n129 * n14);
let n131 = (n130 + n16);
let n132 = (n131 * n14);
let n133 = (n132 + n16);
let n134 = (n133 * n14);
let n135 = (n134 + n16);
let n136 = (n135 * n14);
let n137 = (n136 + n16);
let n138 = (n137 * n14);
let n139 = (n138 + n16);
let n140 = (n139 * n14);
let n141 = (n140 + n16);
let n142 = (n141 * n14);
let n143 = (n142 + n16);
let n144 = (n143 * n14);
let n145 = (n144 + n16);
let n146 = (n145 * n14);
let n147 = (n146 + n16);
let n148 = (n147 * n14);
let n149 = (n148 + n16);
let n150 = (n149 * n14);
let n151 = (n150 + n16);
let n152 = (n151 * n14);
let n153 = (n152 + n16);
let n154 = (n153 * n14);
let n155 = (n154 + n16);
let n156 = (n155 * n14);
let n157 = (n156 + n16);
let n158 = (n157 * n14);
let n159 = (n158 + n16);
let n160 = (n159 * n14);
let n161 = (n160 + n16);
let n162 = (n161 * n14);
let n163 = (n162 + n16);
let n164 = (n163 * n14);
let n165 = (n164 + n16);
let n166 = (n165 * n14);
let n167 = (n166 + n16);
let n168 = (n167 * n14);
let n169 = (n168 + n16);
let n170 = (n169 * n14);
let n171 = (n170 + n16);
let n172 = (n171 * n14);
let n173 = (n172 + n16);
let n174 = (n173 * n14);
let n175 = (n174 + n16);
let n176 = (n175 * n14);
let n177 = (n176 + n16);
let n178 = (n177 * n14);
let n179 = (n178 + n16);
let n180 = (n179 * n14);
let n181 = (n180 + n16);
let n182 = (n181 * n14);
let n183 = (n182 + n16);
let n184 = (n183 * n14);
let n185 = (n184 + n16);
let n186 = (n185 * n14);
let n187 = (n186 + n16);
let n188 = (n187 * n14);
let n189 = (n188 + n16);
let n190 = (n189 * n14);
let n191 = (n190 + n16);
let n192 = (n191 * n14);
let n193 = (n192 + n16);
let n194 = (n193 * n14);
let n195 = (n194 + n16);
let n196 = (n195 * n14);
let n197 = (n196 + n16);
let n198 = (n197 * n14);
let n199 = (n198 + n16);
let n200 = (n199 * n14);
let n201 = (n200 + n16);
let n202 = (n201 * n14);
let n203 = (n202 + n16);
let n204 = (n203 * n14);
let n205 = (n204 + n16);
let n206 = (n205 * n14);
let n207 = (n206 + n16);
let n208 = (n12 * n14);
let n209 = (n208 + n16);
let n210 = (n209 * n14);
let n211 = (n210 + n16);
let n212 = (n211 * n14);
let n213 = (n212 + n16);
let n214 = (n213 * n14);
let n215 = (n214 + n16);
let n216 = (n215 * n14);
let n217 = (n216 + n16);
let n218 = (n217 * n14);
let n219 = (n218 + n16);
let n220 = (n219 * n14);
let n221 = (n220 + n16);
let n222 = (n221 * n14);
let n223 = (n222 + n16);
let n224 = (n223 * n14);
let n225 = (n224 + n16);
let n226 = (n225 * n14);
let n227 = (n226 + n16);
let n228 = (n227 * n14);
let n229 = (n228 + n16);
let n230 = (n229 * n14);
let n231 = (n230 + n16);
let n232 = (n231 * n14);
let n233 = (n232 + n16);
let n234 = (n233 * n14);
let n235 = (n234 + n16);
let n236 = (n235 * n14);
let n237 = (n236 + n16);
let n238 = (n237 * n14);
let n239 = (n238 + n16);
let n240 = (n239 * n14);
let n241 = (n240 + n16);
let n242 = (n241 * n14);
let n243 = (n242 + n16);
let n244 = (n243 * n14);
let n245 = (n244 + n16);
let n246 = (n245 * n14);
let n247 = (n246 + n16);
let n248 = (n247 * n14);
let n249 = (n248 + n16);
let n250 = (n249 * n14);
let n251 = (n250 + n16);
let n252 = (n251 * n14);
let n253 = (n252 + n16);
let n254 = (n253 * n14);
let n255 = (n254 + n16);
let n256 = (n255 * n14);
let n257 = (n256 + n16);
let n258 = (n257 * n14);
let n259 = (n258 + n16);
let n260 = (n259 * n14);
let n261 = (n260 + n16);
let n262 = (n261 * n14);
let n263 = (n262 + n16);
let n264 = (n263 * n14);
let n265 = (n264 + n16);
let n266 = (n265 * n14);
let n267 = (n266 + n16);
let n268 = (n267 * n14);
let n269 = (n268 + n16);
let n270 = (n269 * n14);
let n271 = (n270 + n16);
let n272 = (n271 * n14);
let n273 = (n272 + n16);
let n274 = (n273 * n14);
let n275 = (n274 + n16);
let n276 = (n275 * n14);
let n277 = (n276 + n16);
let n278 = (n277 * n14);
let n279 = (n278 + n16);
let n280 = (n279 * n14);
let n281 = (n280 + n16);
let n282 = (n281 * n14);
let n283 = (n282 + n16);
let n284 = (n283 * n14);
let n285 = (n284 + n16);
let n286 = (n285 * n14);
let n287 = (n286 + n16);
let n288 = (n287 * n14);
let n289 = (n288 + n16);
let n290 = (n289 * n14);
let n291 = (n290 + n16);
let n292 = (n291 * n14);
let n293 = (n292 + n16);
let n294 = (n293 * n14);
let n295 = (n294 + n16);
let n296 = (n295 * n14);
let n297 = (n296 + n16);
let n298 = (n297 * n14);
let n299 = (n298 + n16);
let n300 = (n299 * n14);
let n301 = (n300 + n16);
let n302 = (n301 * n14);
let n303 = (n302 + n16);
let n304 = (n13 * n14);
let n305 = (n304 + n16);
let n306 = (n305 * n14);
let n307 = (n306 + n16);
let n308 = (n307 * n14);
let n309 = (n308 + n16);
let n310 = (n309 * n14);
let n311 = (n310 + n16);
let n312 = (n311 * n14);
let n313 = (n312 + n16);
let n314 = (n313 * n14);
let n315 = (n314 + n16);
let n316 = (n315 * n14);
let n317 = (n316 + n16);
let n318 = (n317 * n14);
let n319 = (n318 + n16);
let n320 = (n319 * n14);
let n321 = (n320 + n16);
let n322 = (n321 * n14);
let n323 = (n322 + n16);
let n324 = (n323 * n14);
let n325 = (n324 + n16);
let n326 = (n325 * n14);
let n327 = (n326 + n16);
let n328 = (n327 * n14);
let n329 = (n328 + n16);
let n330 = (n329 * n14);
let n331 = (n330 + n16);
let n332 = (n331 * n14);
let n333 = (n332 + n16);
let n334 = (n333 * n14);
let n335 = (n334 + n16);
let n336 = (n335 * n14);
let n337 = (n336 + n16);
let n338 = (n337 * n14);
let n339 = (n338 + n16);
let n340 = (n339 * n14);
let n341 = (n340 + n16);
let n342 = (n341 * n14);
let n343 = (n342 + n16);
let n344 = (n343 * n14);
let n345 = (n344 + n16);
let n346 = (n345 * n14);
let n347 = (n346 + n16);
let n348 = (n347 * n14);
let n349 = (n348 + n16);
let n350 = (n349 * n14);
let n351 = (n350 + n16);
let n352 = (n351 * n14);
let n353 = (n352 + n16);
let n354 = (n353 * n14);
let n355 = (n354 + n16);
let n356 = (n355 * n14);
let n357 = (n356 + n16);
let n358 = (n357 * n14);
let n359 = (n358 + n16);
let n360 = (n359 * n14);
let n361 = (n360 + n16);
let n362 = (n361 * n14);
let n363 = (n362 + n16);
let n364 = (n363 * n14);
let n365 = (n364 + n16);
let n366 = (n365 * n14);
let n367 = (n366 + n16);
let n368 = (n367 * n14);
let n369 = (n368 + n16);
let n370 = (n369 * n14);
let n371 = (n370 + n16);
let n372 = (n371 * n14);
let n373 = (n372 + n16);
let n374 = (n373 * n14);
let n375 = (n374 + n16);
let n376 = (n375 * n14);
let n377 = (n376 + n16);
let n378 = (n377 * n14);
let n379 = (n378 + n16);
let n380 = (n379 * n14);
let n381 = (n380 + n16);
let n382 = (n381 * n14);
let n383 = (n382 + n16);
let n384 = (n383 * n14);
let n385 = (n384 + n16);
let n386 = (n385 * n14);
let n387 = (n386 + n16);
let n388 = (n387 * n14);
let n389 = (n388 + n16);
let n390 = (n389 * n14);
let n391 = (n390 + n16);
let n392 = (n391 * n14);
let n393 = (n392 + n16);
let n394 = (n393 * n14);
let n395 = (n394 + n16);
let n396 = (n395 * n14);
let n397 = (n396 + n16);
let n398 = (n397 * n14);
let n399 = (n398 + n16);
n400[n1] = vec4<f32>(n111, n207, n303, n399);
}
// c28496cd55dd
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 + n14 * n5[1].y;
let n17 = n18[n16];
n13 = (n13 + n17);
}
let n19 = n13;
if (n7 == 0u && n9) {
n20[n10] = n19;
}
}
// c2b06a53a626
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 - n3[0].z;
let n9 = n8 < n3[0].w;
let n10 = select(0u, n8, n9);
let n11 = n12[n10];
let n13 = n4 - n3[1].y;
let n14 = n13 < n3[1].z;
let n15 = select(0u, n13, n14);
let n16 = n17[n15];
let n18 = n4 - n3[2].x;
let n19 = n18 < n3[2].y;
let n20 = select(0u, n18, n19);
let n21 = n22[n20];
let n23 = n4 - n3[2].w;
let n24 = n23 < n3[3].x;
let n25 = select(0u, n23, n24);
let n26 = n27[n25];
let n28 = n4 - n3[3].z;
let n29 = n28 < n3[3].w;
let n30 = select(0u, n28, n29);
let n31 = n32[n30];
let n33 = n4 - n3[4].y;
let n34 = n33 < n3[4].z;
let n35 = select(0u, n33, n34);
let n36 = n37[n35];
let n38 = n4 - n3[5].x;
let n39 = n38 < n3[5].y;
let n40 = select(0u, n38, n39);
let n41 = n42[n40];
let n43 = n4 - n3[5].w;
let n44 = n43 < n3[6].x;
let n45 = select(0u, n43, n44);
let n46 = n47[n45];
let n48 = bitcast<f32>(n3[13].x);
let n49 = select(n48, n46, n44);
let n50 = select(n49, n41, n39);
let n51 = select(n50, n36, n34);
let n52 = select(n51, n31, n29);
let n53 = select(n52, n26, n24);
let n54 = select(n53, n21, n19);
let n55 = select(n54, n16, n14);
let n56 = select(n55, n11, n9);
let n57 = n4 - n3[7].y;
let n58 = n57 < n3[7].z;
let n59 = select(0u, n57, n58);
let n60 = n61[n59];
let n62 = bitcast<f32>(n3[13].y);
let n63 = select(n62, n60, n58);
let n64 = (n56 + n63);
let n65 = n4 - n3[8].w;
let n66 = n65 < n3[9].x;
let n67 = select(0u, n65, n66);
let n68 = n69[n67];
let n70 = select(n62, n68, n66);
let n71 = (n64 + n70);
let n72 = n4 - n3[9].z;
let n73 = n72 < n3[9].w;
let n74 = select(0u, n72, n73);
let n75 = n76[n74];
let n77 = select(n62, n75, n73);
let n78 = (n71 + n77);
let n79 = n4 - n3[10].y;
let n80 = n79 < n3[10].z;
let n81 = select(0u, n79, n80);
let n82 = n83[n81];
let n84 = select(n62, n82, n80);
let n85 = (n78 + n84);
let n86 = n4 - n3[11].x;
let n87 = n86 < n3[11].y;
let n88 = select(0u, n86, n87);
let n89 = n90[n88];
let n91 = select(n62, n89, n87);
let n92 = (n85 + n91);
let n93 = n4 - n3[11].w;
let n94 = n93 < n3[12].x;
let n95 = select(0u, n93, n94);
let n96 = n97[n95];
let n98 = select(n62, n96, n94);
let n99 = (n92 + n98);
let n100 = n4 - n3[12].z;
let n101 = n100 < n3[12].w;
let n102 = select(0u, n100, n101);
let n103 = n104[n102];
let n105 = select(n62, n103, n101);
let n106 = (n99 + n105);
let n107 = n5 - n3[0].z;
let n108 = n107 < n3[0].w;
let n109 = select(0u, n107, n108);
let n110 = n12[n109];
let n111 = n5 - n3[1].y;
let n112 = n111 < n3[1].z;
let n113 = select(0u, n111, n112);
let n114 = n17[n113];
let n115 = n5 - n3[2].x;
let n116 = n115 < n3[2].y;
let n117 = select(0u, n115, n116);
let n118 = n22[n117];
let n119 = n5 - n3[2].w;
let n120 = n119 < n3[3].x;
let n121 = select(0u, n119, n120);
let n122 = n27[n121];
let n123 = n5 - n3[3].z;
let n124 = n123 < n3[3].w;
let n125 = select(0u, n123, n124);
let n126 = n32[n125];
let n127 = n5 - n3[4].y;
let n128 = n127 < n3[4].z;
let n129 = select(0u, n127, n128);
let n130 = n37[n129];
let n131 = n5 - n3[5].x;
let n132 = n131 < n3[5].y;
let n133 = select(0u, n131, n132);
let n134 = n42[n133];
let n135 = n5 - n3[5].w;
let n136 = n135 < n3[6].x;
let n137 = select(0u, n135, n136);
let n138 = n47[n137];
let n139 = select(n48, n138, n136);
let n140 = select(n139, n134, n132);
let n141 = select(n140, n130, n128);
let n142 = select(n141, n126, n124);
let n143 = select(n142, n122, n120);
let n144 = select(n143, n118, n116);
let n145 = select(n144, n114, n112);
let n146 = select(n145, n110, n108);
let n147 = n5 - n3[7].y;
let n148 = n147 < n3[7].z;
let n149 = select(0u, n147, n148);
let n150 = n61[n149];
let n151 = select(n62, n150, n148);
let n152 = (n146 + n151);
let n153 = n5 - n3[8].w;
let n154 = n153 < n3[9].x;
let n155 = select(0u, n153, n154);
let n156 = n69[n155];
let n157 = select(n62, n156, n154);
let n158 = (n152 + n157);
let n159 = n5 - n3[9].z;
let n160 = n159 < n3[9].w;
let n161 = select(0u, n159, n160);
let n162 = n76[n161];
let n163 = select(n62, n162, n160);
let n164 = (n158 + n163);
let n165 = n5 - n3[10].y;
let n166 = n165 < n3[10].z;
let n167 = select(0u, n165, n166);
let n168 = n83[n167];
let n169 = select(n62, n168, n166);
let n170 = (n164 + n169);
let n171 = n5 - n3[11].x;
let n172 = n171 < n3[11].y;
let n173 = select(0u, n171, n172);
let n174 = n90[n173];
let n175 = select(n62, n174, n172);
let n176 = (n170 + n175);
let n177 = n5 - n3[11].w;
let n178 = n177 < n3[12].x;
let n179 = select(0u, n177, n178);
let n180 = n97[n179];
let n181 = select(n62, n180, n178);
let n182 = (n176 + n181);
let n183 = n5 - n3[12].z;
let n184 = n183 < n3[12].w;
let n185 = select(0u, n183, n184);
let n186 = n104[n185];
let n187 = select(n62, n186, n184);
let n188 = (n182 + n187);
let n189 = n6 - n3[0].z;
let n190 = n189 < n3[0].w;
let n191 = select(0u, n189, n190);
let n192 = n12[n191];
let n193 = n6 - n3[1].y;
let n194 = n193 < n3[1].z;
let n195 = select(0u, n193, n194);
let n196 = n17[n195];
let n197 = n6 - n3[2].x;
let n198 = n197 < n3[2].y;
let n199 = select(0u, n197, n198);
let n200 = n22[n199];
let n201 = n6 - n3[2].w;
let n202 = n201 < n3[3].x;
let n203 = select(0u, n201, n202);
let n204 = n27[n203];
let n205 = n6 - n3[3].z;
let n206 = n205 < n3[3].w;
let n207 = select(0u, n205, n206);
let n208 = n32[n207];
let n209 = n6 - n3[4].y;
let n210 = n209 < n3[4].z;
let n211 = select(0u, n209, n210);
let n212 = n37[n211];
let n213 = n6 - n3[5].x;
let n214 = n213 < n3[5].y;
let n215 = select(0u, n213, n214);
let n216 = n42[n215];
let n217 = n6 - n3[5].w;
let n218 = n217 < n3[6].x;
let n219 = select(0u, n217, n218);
let n220 = n47[n219];
let n221 = select(n48, n220, n218);
let n222 = select(n221, n216, n214);
let n223 = select(n222, n212, n210);
let n224 = select(n223, n208, n206);
let n225 = select(n224, n204, n202);
let n226 = select(n225, n200, n198);
let n227 = select(n226, n196, n194);
let n228 = select(n227, n192, n190);
let n229 = n6 - n3[7].y;
let n230 = n229 < n3[7].z;
let n231 = select(0u, n229, n230);
let n232 = n61[n231];
let n233 = select(n62, n232, n230);
let n234 = (n228 + n233);
let n235 = n6 - n3[8].w;
let n236 = n235 < n3[9].x;
let n237 = select(0u, n235, n236);
let n238 = n69[n237];
let n239 = select(n62, n238, n236);
let n240 = (n234 + n239);
let n241 = n6 - n3[9].z;
let n242 = n241 < n3[9].w;
let n243 = select(0u, n241, n242);
let n244 = n76[n243];
let n245 = select(n62, n244, n242);
let n246 = (n240 + n245);
let n247 = n6 - n3[10].y;
let n248 = n247 < n3[10].z;
let n249 = select(0u, n247, n248);
let n250 = n83[n249];
let n251 = select(n62, n250, n248);
let n252 = (n246 + n251);
let n253 = n6 - n3[11].x;
let n254 = n253 < n3[11].y;
let n255 = select(0u, n253, n254);
let n256 = n90[n255];
let n257 = select(n62, n256, n254);
let n258 = (n252 + n257);
let n259 = n6 - n3[11].w;
let n260 = n259 < n3[12].x;
let n261 = select(0u, n259, n260);
let n262 = n97[n261];
let n263 = select(n62, n262, n260);
let n264 = (n258 + n263);
let n265 = n6 - n3[12].z;
let n266 = n265 < n3[12].w;
let n267 = select(0u, n265, n266);
let n268 = n104[n267];
let n269 = select(n62, n268, n266);
let n270 = (n264 + n269);
let n271 = n7 - n3[0].z;
let n272 = n271 < n3[0].w;
let n273 = select(0u, n271, n272);
let n274 = n12[n273];
let n275 = n7 - n3[1].y;
let n276 = n275 < n3[1].z;
let n277 = select(0u, n275, n276);
let n278 = n17[n277];
let n279 = n7 - n3[2].x;
let n280 = n279 < n3[2].y;
let n281 = select(0u, n279, n280);
let n282 = n22[n281];
let n283 = n7 - n3[2].w;
let n284 = n283 < n3[3].x;
let n285 = select(0u, n283, n284);
let n286 = n27[n285];
let n287 = n7 - n3[3].z;
let n288 = n287 < n3[3].w;
let n289 = select(0u, n287, n288);
let n290 = n32[n289];
let n291 = n7 - n3[4].y;
let n292 = n291 < n3[4].z;
let n293 = select(0u, n291, n292);
let n294 = n37[n293];
let n295 = n7 - n3[5].x;
let n296 = n295 < n3[5].y;
let n297 = select(0u, n295, n296);
let n298 = n42[n297];
let n299 = n7 - n3[5].w;
let n300 = n299 < n3[6].x;
let n301 = select(0u, n299, n300);
let n302 = n47[n301];
let n303 = select(n48, n302, n300);
let n304 = select(n303, n298, n296);
let n305 = select(n304, n294, n292);
let n306 = select(n305, n290, n288);
let n307 = select(n306, n286, n284);
let n308 = select(n307, n282, n280);
let n309 = select(n308, n278, n276);
let n310 = select(n309, n274, n272);
let n311 = n7 - n3[7].y;
let n312 = n311 < n3[7].z;
let n313 = select(0u, n311, n312);
let n314 = n61[n313];
let n315 = select(n62, n314, n312);
let n316 = (n310 + n315);
let n317 = n7 - n3[8].w;
let n318 = n317 < n3[9].x;
let n319 = select(0u, n317, n318);
let n320 = n69[n319];
let n321 = select(n62, n320, n318);
let n322 = (n316 + n321);
let n323 = n7 - n3[9].z;
let n324 = n323 < n3[9].w;
let n325 = select(0u, n323, n324);
let n326 = n76[n325];
let n327 = select(n62, n326, n324);
let n328 = (n322 + n327);
let n329 = n7 - n3[10].y;
let n330 = n329 < n3[10].z;
let n331 = select(0u, n329, n330);
let n332 = n83[n331];
let n333 = select(n62, n332, n330);
let n334 = (n328 + n333);
let n335 = n7 - n3[11].x;
let n336 = n335 < n3[11].y;
let n337 = select(0u, n335, n336);
let n338 = n90[n337];
let n339 = select(n62, n338, n336);
let n340 = (n334 + n339);
let n341 = n7 - n3[11].w;
let n342 = n341 < n3[12].x;
let n343 = select(0u, n341, n342);
let n344 = n97[n343];
let n345 = select(n62, n344, n342);
let n346 = (n340 + n345);
let n347 = n7 - n3[12].z;
let n348 = n347 < n3[12].w;
let n349 = select(0u, n347, n348);
let n350 = n104[n349];
let n351 = select(n62, n350, n348);
let n352 = (n346 + n351);
n353[n1] = vec4<f32>(n106, n188, n270, n352);
}
// c32e020535b7
fn n0(n1: u32, n2: n3, n4: u32, n5: ptr<function, n6>) {
var n7: array<vec4<f32>, n8>;
for (var n9 = 0u; n9 < n8; n9++) { n7[n9] = n10(n1, n2, n4, n2.n11 + n9 * n12); }
for (var n13 = 0u; n13 < n14; n13 += n15) {
workgroupBarrier();
for (var n9 = 0u; n9 < n8; n9++) {
let n16 = n2.n11 + n9 * n12;
if (n16 < n15 * n17) { n18[n16] = n7[n9]; }
}
workgroupBarrier();
if (n13 + n15 < n14) {
for (var n9 = 0u; n9 < n8; n9++) { n7[n9] = n10(n1, n2, n4 + n13 + n15, n2.n11 + n9 * n12); }
}
for (var n19 = 0u; n19 < n15; n19++) {
var n20: array<vec4<f32>, n21>;
for (var n22 = 0u; n22 < n21; n22++) { n20[n22] = n18[min(n19 * n17 + n22 * n23 + n2.x, n15 * n17 - 1u)]; }
for (var n24 = 0u; n24 < n25; n24++) {
let n26 = n27[(n13 + n19) * n28 + n24 * n29 + n2.y];
for (var n22 = 0u; n22 < n21; n22++) {
(*n5)[4u * n24][n22] = fma(vec4<f32>(n26.x), n20[n22], (*n5)[4u * n24][n22]);
(*n5)[4u * n24 + 1u][n22] = fma(vec4<f32>(n26.y), n20[n22], (*n5)[4u * n24 + 1u][n22]);
(*n5)[4u * n24 + 2u][n22] = fma(vec4<f32>(n26.z), n20[n22], (*n5)[4u * n24 + 2u][n22]);
(*n5)[4u * n24 + 3u][n22] = fma(vec4<f32>(n26.w), n20[n22], (*n5)[4u * n24 + 3u][n22]);
}
}
}
}
}
// c37b0678c19e
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[n1];
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = n10(n5);
let n11 = (n5 * n9);
let n12 = n2 + 1u;
let n13 = n10(n6);
let n14 = (n6 * n13);
let n15 = n2 + 2u;
let n16 = n10(n7);
let n17 = (n7 * n16);
let n18 = n2 + 3u;
let n19 = n10(n8);
let n20 = (n8 * n19);
return vec4<f32>(n11, n14, n17, n20);
}
// c3e22902f616
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 64u;
let n18 = n16 % 2u * 32u;
let n19 = (n2 / 16u);
let n20 = n2 % 16u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (8u * n25[1].x) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (8u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = n35();
var n40 = n35();
var n41 = n35();
var n42 = n35();
var n43 = vec4<n44>();
var n45 = vec4<n44>();
var n46 = vec4<n44>();
var n47 = vec4<n44>();
var n48 = vec4<n44>();
var n49 = vec4<n44>();
var n50 = vec4<n44>();
var n51 = vec4<n44>();
var n52 = vec4<n44>();
var n53 = vec4<n44>();
var n54 = vec4<n44>();
var n55 = vec4<n44>();
var n56 = vec4<n44>();
var n57 = vec4<n44>();
var n58 = vec4<n44>();
var n59 = vec4<n44>();
var n60 = vec4<n44>();
var n61 = vec4<n44>();
var n62 = vec4<n44>();
var n63 = vec4<n44>();
var n64 = vec4<n44>();
var n65 = vec4<n44>();
var n66 = vec4<n44>();
var n67 = vec4<n44>();
{
let n68 = select(0u, 0u, 0u < n9);
let n69 = n23 + (n68 >> 2u);
n43 = n70[n69 + 0u * n26];
n45 = n70[n69 + 1u * n26];
n46 = n70[n69 + 2u * n26];
n47 = n70[n69 + 3u * n26];
n48 = n70[n69 + 4u * n26];
n49 = n70[n69 + 5u * n26];
n50 = n70[n69 + 6u * n26];
n51 = n70[n69 + 7u * n26];
n52 = n70[n69 + 8u * n26];
n53 = n70[n69 + 9u * n26];
n54 = n70[n69 + 10u * n26];
n55 = n70[n69 + 11u * n26];
n56 = n70[n69 + 12u * n26];
n57 = n70[n69 + 13u * n26];
n58 = n70[n69 + 14u * n26];
n59 = n70[n69 + 15u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
}
for (var n73 = 0u; n73 < n9; n73 += 1u * n74) {
{
n75[n21 + (0u * 8u) * n22] = n43;
n75[n21 + (1u * 8u) * n22] = n45;
n75[n21 + (2u * 8u) * n22] = n46;
n75[n21 + (3u * 8u) * n22] = n47;
n75[n21 + (4u * 8u) * n22] = n48;
n75[n21 + (5u * 8u) * n22] = n49;
n75[n21 + (6u * 8u) * n22] = n50;
n75[n21 + (7u * 8u) * n22] = n51;
n75[n21 + (8u * 8u) * n22] = n52;
n75[n21 + (9u * 8u) * n22] = n53;
n75[n21 + (10u * 8u) * n22] = n54;
n75[n21 + (11u * 8u) * n22] = n55;
n75[n21 + (12u * 8u) * n22] = n56;
n75[n21 + (13u * 8u) * n22] = n57;
n75[n21 + (14u * 8u) * n22] = n58;
n75[n21 + (15u * 8u) * n22] = n59;
n76[n29 + (0u * 8u) * n30] = n60;
n76[n29 + (1u * 8u) * n30] = n61;
n76[n29 + (2u * 8u) * n30] = n62;
n76[n29 + (3u * 8u) * n30] = n63;
n76[n29 + (4u * 8u) * n30] = n64;
n76[n29 + (5u * 8u) * n30] = n65;
n76[n29 + (6u * 8u) * n30] = n66;
n76[n29 + (7u * 8u) * n30] = n67;
workgroupBarrier();
let n77 = n73 + 1u * n74;
let n68 = select(0u, n77, n77 < n9);
let n69 = n23 + (n68 >> 2u);
n43 = n70[n69 + 0u * n26];
n45 = n70[n69 + 1u * n26];
n46 = n70[n69 + 2u * n26];
n47 = n70[n69 + 3u * n26];
n48 = n70[n69 + 4u * n26];
n49 = n70[n69 + 5u * n26];
n50 = n70[n69 + 6u * n26];
n51 = n70[n69 + 7u * n26];
n52 = n70[n69 + 8u * n26];
n53 = n70[n69 + 9u * n26];
n54 = n70[n69 + 10u * n26];
n55 = n70[n69 + 11u * n26];
n56 = n70[n69 + 12u * n26];
n57 = n70[n69 + 13u * n26];
n58 = n70[n69 + 14u * n26];
n59 = n70[n69 + 15u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n79(n17 + 32u, 0u);
let n82 = n79(n17 + 48u, 0u);
let n83 = n84(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n79(n17 + 32u, 16u);
let n82 = n79(n17 + 48u, 16u);
let n83 = n84(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 32u);
let n80 = n79(n17 + 16u, 32u);
let n81 = n79(n17 + 32u, 32u);
let n82 = n79(n17 + 48u, 32u);
let n83 = n84(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 48u);
let n80 = n79(n17 + 16u, 48u);
let n81 = n79(n17 + 32u, 48u);
let n82 = n79(n17 + 48u, 48u);
let n83 = n84(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
workgroupBarrier();
}
}
let n86 = n11 * n87 * n88;
let n89 = n86 + 0u;
coopStoreT(n34, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n36, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n37, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n38, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n39, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 32u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n40, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 32u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n41, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 48u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n42, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 48u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
}
// c43d14b4badb
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 32u;
let n18 = n16 % 2u * 32u;
let n19 = (n2 / 16u);
let n20 = n2 % 16u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (8u * n25[1].x) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + (n6 + n27) * n25[2].x) >> 2u) + n28;
let n33 = (8u * n25[2].x) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = vec4<n40>();
var n41 = vec4<n40>();
var n42 = vec4<n40>();
var n43 = vec4<n40>();
var n44 = vec4<n40>();
var n45 = vec4<n40>();
var n46 = vec4<n40>();
var n47 = vec4<n40>();
var n48 = vec4<n40>();
var n49 = vec4<n40>();
var n50 = vec4<n40>();
var n51 = vec4<n40>();
var n52 = vec4<n40>();
var n53 = vec4<n40>();
var n54 = vec4<n40>();
var n55 = vec4<n40>();
{
let n56 = select(0u, 0u, 0u < n9);
let n57 = n23 + (n56 >> 2u);
n39 = n58[n57 + 0u * n26];
n41 = n58[n57 + 1u * n26];
n42 = n58[n57 + 2u * n26];
n43 = n58[n57 + 3u * n26];
n44 = n58[n57 + 4u * n26];
n45 = n58[n57 + 5u * n26];
n46 = n58[n57 + 6u * n26];
n47 = n58[n57 + 7u * n26];
let n59 = n31 + (n56 >> 2u);
n48 = n60[n59 + 0u * n33];
n49 = n60[n59 + 1u * n33];
n50 = n60[n59 + 2u * n33];
n51 = n60[n59 + 3u * n33];
n52 = n60[n59 + 4u * n33];
n53 = n60[n59 + 5u * n33];
n54 = n60[n59 + 6u * n33];
n55 = n60[n59 + 7u * n33];
}
var n61 = vec4<n40>();
var n62 = vec4<n40>();
var n63 = vec4<n40>();
var n64 = vec4<n40>();
var n65 = vec4<n40>();
var n66 = vec4<n40>();
var n67 = vec4<n40>();
var n68 = vec4<n40>();
var n69 = vec4<n40>();
var n70 = vec4<n40>();
var n71 = vec4<n40>();
var n72 = vec4<n40>();
var n73 = vec4<n40>();
var n74 = vec4<n40>();
var n75 = vec4<n40>();
var n76 = vec4<n40>();
{
let n56 = select(0u, 64u, 64u < n9);
let n57 = n23 + (n56 >> 2u);
n61 = n58[n57 + 0u * n26];
n62 = n58[n57 + 1u * n26];
n63 = n58[n57 + 2u * n26];
n64 = n58[n57 + 3u * n26];
n65 = n58[n57 + 4u * n26];
n66 = n58[n57 + 5u * n26];
n67 = n58[n57 + 6u * n26];
n68 = n58[n57 + 7u * n26];
let n59 = n31 + (n56 >> 2u);
n69 = n60[n59 + 0u * n33];
n70 = n60[n59 + 1u * n33];
n71 = n60[n59 + 2u * n33];
n72 = n60[n59 + 3u * n33];
n73 = n60[n59 + 4u * n33];
n74 = n60[n59 + 5u * n33];
n75 = n60[n59 + 6u * n33];
n76 = n60[n59 + 7u * n33];
}
for (var n77 = 0u; n77 < n9; n77 += 2u * n78) {
{
n79[n21 + (0u * 8u) * n22] = n39;
n79[n21 + (1u * 8u) * n22] = n41;
n79[n21 + (2u * 8u) * n22] = n42;
n79[n21 + (3u * 8u) * n22] = n43;
n79[n21 + (4u * 8u) * n22] = n44;
n79[n21 + (5u * 8u) * n22] = n45;
n79[n21 + (6u * 8u) * n22] = n46;
n79[n21 + (7u * 8u) * n22] = n47;
n80[n29 + (0u * 8u) * n30] = n48;
n80[n29 + (1u * 8u) * n30] = n49;
n80[n29 + (2u * 8u) * n30] = n50;
n80[n29 + (3u * 8u) * n30] = n51;
n80[n29 + (4u * 8u) * n30] = n52;
n80[n29 + (5u * 8u) * n30] = n53;
n80[n29 + (6u * 8u) * n30] = n54;
n80[n29 + (7u * 8u) * n30] = n55;
workgroupBarrier();
let n81 = n77 + 2u * n78;
let n56 = select(0u, n81, n81 < n9);
let n57 = n23 + (n56 >> 2u);
n39 = n58[n57 + 0u * n26];
n41 = n58[n57 + 1u * n26];
n42 = n58[n57 + 2u * n26];
n43 = n58[n57 + 3u * n26];
n44 = n58[n57 + 4u * n26];
n45 = n58[n57 + 5u * n26];
n46 = n58[n57 + 6u * n26];
n47 = n58[n57 + 7u * n26];
let n59 = n31 + (n56 >> 2u);
n48 = n60[n59 + 0u * n33];
n49 = n60[n59 + 1u * n33];
n50 = n60[n59 + 2u * n33];
n51 = n60[n59 + 3u * n33];
n52 = n60[n59 + 4u * n33];
n53 = n60[n59 + 5u * n33];
n54 = n60[n59 + 6u * n33];
n55 = n60[n59 + 7u * n33];
{
let n82 = n83(n17 + 0u, 0u);
let n84 = n83(n17 + 16u, 0u);
let n85 = n86(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 16u);
let n84 = n83(n17 + 16u, 16u);
let n85 = n86(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 32u);
let n84 = n83(n17 + 16u, 32u);
let n85 = n86(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 48u);
let n84 = n83(n17 + 16u, 48u);
let n85 = n86(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
workgroupBarrier();
}
for (var n88 = n77 + n78 < n9; n88; n88 = false) {
n79[n21 + (0u * 8u) * n22] = n61;
n79[n21 + (1u * 8u) * n22] = n62;
n79[n21 + (2u * 8u) * n22] = n63;
n79[n21 + (3u * 8u) * n22] = n64;
n79[n21 + (4u * 8u) * n22] = n65;
n79[n21 + (5u * 8u) * n22] = n66;
n79[n21 + (6u * 8u) * n22] = n67;
n79[n21 + (7u * 8u) * n22] = n68;
n80[n29 + (0u * 8u) * n30] = n69;
n80[n29 + (1u * 8u) * n30] = n70;
n80[n29 + (2u * 8u) * n30] = n71;
n80[n29 + (3u * 8u) * n30] = n72;
n80[n29 + (4u * 8u) * n30] = n73;
n80[n29 + (5u * 8u) * n30] = n74;
n80[n29 + (6u * 8u) * n30] = n75;
n80[n29 + (7u * 8u) * n30] = n76;
workgroupBarrier();
let n81 = n77 + 3u * n78;
let n56 = select(0u, n81, n81 < n9);
let n57 = n23 + (n56 >> 2u);
n61 = n58[n57 + 0u * n26];
n62 = n58[n57 + 1u * n26];
n63 = n58[n57 + 2u * n26];
n64 = n58[n57 + 3u * n26];
n65 = n58[n57 + 4u * n26];
n66 = n58[n57 + 5u * n26];
n67 = n58[n57 + 6u * n26];
n68 = n58[n57 + 7u * n26];
let n59 = n31 + (n56 >> 2u);
n69 = n60[n59 + 0u * n33];
n70 = n60[n59 + 1u * n33];
n71 = n60[n59 + 2u * n33];
n72 = n60[n59 + 3u * n33];
n73 = n60[n59 + 4u * n33];
n74 = n60[n59 + 5u * n33];
n75 = n60[n59 + 6u * n33];
n76 = n60[n59 + 7u * n33];
{
let n82 = n83(n17 + 0u, 0u);
let n84 = n83(n17 + 16u, 0u);
let n85 = n86(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 16u);
let n84 = n83(n17 + 16u, 16u);
let n85 = n86(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 32u);
let n84 = n83(n17 + 16u, 32u);
let n85 = n86(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
{
let n82 = n83(n17 + 0u, 48u);
let n84 = n83(n17 + 16u, 48u);
let n85 = n86(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n82, n85, n34);
n37 = coopMultiplyAdd(n84, n85, n37);
let n87 = n86(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n82, n87, n36);
n38 = coopMultiplyAdd(n84, n87, n38);
}
workgroupBarrier();
}
}
let n89 = n11 * n90 * n91;
let n92 = n89 + 0u;
coopStoreT(n34, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n89, n13);
workgroupBarrier();
coopStoreT(n36, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n89, n13);
workgroupBarrier();
coopStoreT(n37, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n89, n13);
workgroupBarrier();
coopStoreT(n38, &n93[n92], n91);
workgroupBarrier();
n94(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n89, n13);
workgroupBarrier();
}
// c44dcbf4c26f
const n0: u32 = 18u;
// c4b1a361d18c
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 - n3[0].z;
let n9 = n8 < n3[0].w;
let n10 = select(0u, n8, n9);
let n11 = n12[n10];
let n13 = n4 - n3[1].y;
let n14 = n13 < n3[1].z;
let n15 = select(0u, n13, n14);
let n16 = n17[n15];
let n18 = n4 - n3[2].x;
let n19 = n18 < n3[2].y;
let n20 = select(0u, n18, n19);
let n21 = n22[n20];
let n23 = n4 - n3[2].w;
let n24 = n23 < n3[3].x;
let n25 = select(0u, n23, n24);
let n26 = n27[n25];
let n28 = n4 - n3[3].z;
let n29 = n28 < n3[3].w;
let n30 = select(0u, n28, n29);
let n31 = n32[n30];
let n33 = n4 - n3[4].y;
let n34 = n33 < n3[4].z;
let n35 = select(0u, n33, n34);
let n36 = n37[n35];
let n38 = n4 - n3[5].x;
let n39 = n38 < n3[5].y;
let n40 = select(0u, n38, n39);
let n41 = n42[n40];
let n43 = n4 - n3[5].w;
let n44 = n43 < n3[6].x;
let n45 = select(0u, n43, n44);
let n46 = n47[n45];
let n48 = bitcast<f32>(n3[8].z);
let n49 = select(n48, n46, n44);
let n50 = select(n49, n41, n39);
let n51 = select(n50, n36, n34);
let n52 = select(n51, n31, n29);
let n53 = select(n52, n26, n24);
let n54 = select(n53, n21, n19);
let n55 = select(n54, n16, n14);
let n56 = select(n55, n11, n9);
let n57 = n4 - n3[7].y;
let n58 = n57 < n3[7].z;
let n59 = select(0u, n57, n58);
let n60 = n61[n59];
let n62 = bitcast<f32>(n3[8].w);
let n63 = select(n62, n60, n58);
let n64 = (n56 + n63);
let n65 = n5 - n3[0].z;
let n66 = n65 < n3[0].w;
let n67 = select(0u, n65, n66);
let n68 = n12[n67];
let n69 = n5 - n3[1].y;
let n70 = n69 < n3[1].z;
let n71 = select(0u, n69, n70);
let n72 = n17[n71];
let n73 = n5 - n3[2].x;
let n74 = n73 < n3[2].y;
let n75 = select(0u, n73, n74);
let n76 = n22[n75];
let n77 = n5 - n3[2].w;
let n78 = n77 < n3[3].x;
let n79 = select(0u, n77, n78);
let n80 = n27[n79];
let n81 = n5 - n3[3].z;
let n82 = n81 < n3[3].w;
let n83 = select(0u, n81, n82);
let n84 = n32[n83];
let n85 = n5 - n3[4].y;
let n86 = n85 < n3[4].z;
let n87 = select(0u, n85, n86);
let n88 = n37[n87];
let n89 = n5 - n3[5].x;
let n90 = n89 < n3[5].y;
let n91 = select(0u, n89, n90);
let n92 = n42[n91];
let n93 = n5 - n3[5].w;
let n94 = n93 < n3[6].x;
let n95 = select(0u, n93, n94);
let n96 = n47[n95];
let n97 = select(n48, n96, n94);
let n98 = select(n97, n92, n90);
let n99 = select(n98, n88, n86);
let n100 = select(n99, n84, n82);
let n101 = select(n100, n80, n78);
let n102 = select(n101, n76, n74);
let n103 = select(n102, n72, n70);
let n104 = select(n103, n68, n66);
let n105 = n5 - n3[7].y;
let n106 = n105 < n3[7].z;
let n107 = select(0u, n105, n106);
let n108 = n61[n107];
let n109 = select(n62, n108, n106);
let n110 = (n104 + n109);
let n111 = n6 - n3[0].z;
let n112 = n111 < n3[0].w;
let n113 = select(0u, n111, n112);
let n114 = n12[n113];
let n115 = n6 - n3[1].y;
let n116 = n115 < n3[1].z;
let n117 = select(0u, n115, n116);
let n118 = n17[n117];
let n119 = n6 - n3[2].x;
let n120 = n119 < n3[2].y;
let n121 = select(0u, n119, n120);
let n122 = n22[n121];
let n123 = n6 - n3[2].w;
let n124 = n123 < n3[3].x;
let n125 = select(0u, n123, n124);
let n126 = n27[n125];
let n127 = n6 - n3[3].z;
let n128 = n127 < n3[3].w;
let n129 = select(0u, n127, n128);
let n130 = n32[n129];
let n131 = n6 - n3[4].y;
let n132 = n131 < n3[4].z;
let n133 = select(0u, n131, n132);
let n134 = n37[n133];
let n135 = n6 - n3[5].x;
let n136 = n135 < n3[5].y;
let n137 = select(0u, n135, n136);
let n138 = n42[n137];
let n139 = n6 - n3[5].w;
let n140 = n139 < n3[6].x;
let n141 = select(0u, n139, n140);
let n142 = n47[n141];
let n143 = select(n48, n142, n140);
let n144 = select(n143, n138, n136);
let n145 = select(n144, n134, n132);
let n146 = select(n145, n130, n128);
let n147 = select(n146, n126, n124);
let n148 = select(n147, n122, n120);
let n149 = select(n148, n118, n116);
let n150 = select(n149, n114, n112);
let n151 = n6 - n3[7].y;
let n152 = n151 < n3[7].z;
let n153 = select(0u, n151, n152);
let n154 = n61[n153];
let n155 = select(n62, n154, n152);
let n156 = (n150 + n155);
let n157 = n7 - n3[0].z;
let n158 = n157 < n3[0].w;
let n159 = select(0u, n157, n158);
let n160 = n12[n159];
let n161 = n7 - n3[1].y;
let n162 = n161 < n3[1].z;
let n163 = select(0u, n161, n162);
let n164 = n17[n163];
let n165 = n7 - n3[2].x;
let n166 = n165 < n3[2].y;
let n167 = select(0u, n165, n166);
let n168 = n22[n167];
let n169 = n7 - n3[2].w;
let n170 = n169 < n3[3].x;
let n171 = select(0u, n169, n170);
let n172 = n27[n171];
let n173 = n7 - n3[3].z;
let n174 = n173 < n3[3].w;
let n175 = select(0u, n173, n174);
let n176 = n32[n175];
let n177 = n7 - n3[4].y;
let n178 = n177 < n3[4].z;
let n179 = select(0u, n177, n178);
let n180 = n37[n179];
let n181 = n7 - n3[5].x;
let n182 = n181 < n3[5].y;
let n183 = select(0u, n181, n182);
let n184 = n42[n183];
let n185 = n7 - n3[5].w;
let n186 = n185 < n3[6].x;
let n187 = select(0u, n185, n186);
let n188 = n47[n187];
let n189 = select(n48, n188, n186);
let n190 = select(n189, n184, n182);
let n191 = select(n190, n180, n178);
let n192 = select(n191, n176, n174);
let n193 = select(n192, n172, n170);
let n194 = select(n193, n168, n166);
let n195 = select(n194, n164, n162);
let n196 = select(n195, n160, n158);
let n197 = n7 - n3[7].y;
let n198 = n197 < n3[7].z;
let n199 = select(0u, n197, n198);
let n200 = n61[n199];
let n201 = select(n62, n200, n198);
let n202 = (n196 + n201);
n203[n1] = vec4<f32>(n64, n110, n156, n202);
}
// c4b6ec3eba1c
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
n38[n3] = n15;
workgroupBarrier();
for (var n39 = 128u; n39 > 0u; n39 >>= 1u) {
if (n7 < n39) { n38[n3] = (n38[n3] + n38[n3 + n39]); }
workgroupBarrier();
}
let n40 = n38[n3 - n7];
workgroupBarrier();
let n41 = n42(n40, n13);
let n43 = (n41 + n14);
let n44 = inverseSqrt(n43);
let n45 = (n30 * n44);
let n46 = n47[n19];
let n48 = n46.x;
let n49 = n46.y;
let n50 = n46.z;
let n51 = n46.w;
let n52 = (n45 * n48);
let n53 = (n31 * n44);
let n54 = (n53 * n49);
let n55 = (n32 * n44);
let n56 = (n55 * n50);
let n57 = (n33 * n44);
let n58 = (n57 * n51);
if (n9 && n17) {
n59[n19] = vec4<f32>(n52, n54, n56, n58);
}
}
// c4cf1000c3e1
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[4].w);
let n17 = (n3.x * n16);
let n18 = bitcast<f32>(n5[5].x);
let n19 = (n3.x * n18);
let n20 = n21(n19);
let n22 = bitcast<f32>(n5[5].y);
let n23 = (n20 + n22);
let n24 = (n17 * n23);
let n25 = (n3.y * n16);
let n26 = (n3.y * n18);
let n27 = n21(n26);
let n28 = (n27 + n22);
let n29 = (n25 * n28);
let n30 = (n3.z * n16);
let n31 = (n3.z * n18);
let n32 = n21(n31);
let n33 = (n32 + n22);
let n34 = (n30 * n33);
let n35 = (n3.w * n16);
let n36 = (n3.w * n18);
let n37 = n21(n36);
let n38 = (n37 + n22);
let n39 = (n35 * n38);
n40[n7] = vec4<f32>(n24, n29, n34, n39);
}
// c4f324829832
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = vec4<f32>(n35[n19]);
let n36 = n34.x;
let n37 = n34.y;
let n38 = n34.z;
let n39 = n34.w;
let n40 = (n30 + n36);
let n41 = n40;
let n42 = (n41 * n41);
n15 = (n15 + select(f32(0), n42, n17));
let n43 = (n31 + n37);
let n44 = n43;
let n45 = (n44 * n44);
n15 = (n15 + select(f32(0), n45, n17));
let n46 = (n32 + n38);
let n47 = n46;
let n48 = (n47 * n47);
n15 = (n15 + select(f32(0), n48, n17));
let n49 = (n33 + n39);
let n50 = n49;
let n51 = (n50 * n50);
n15 = (n15 + select(f32(0), n51, n17));
let n52 = n7 + 32u;
let n53 = n52 < n11;
let n54 = min(n52, n11 - 1u);
let n55 = n12 + n54;
let n56 = 4u * n55 + 0u;
let n57 = 4u * n54 + 0u;
let n58 = 4u * n55 + 1u;
let n59 = 4u * n54 + 1u;
let n60 = 4u * n55 + 2u;
let n61 = 4u * n54 + 2u;
let n62 = 4u * n55 + 3u;
let n63 = 4u * n54 + 3u;
let n64 = vec4<f32>(n29[n55]);
let n65 = n64.x;
let n66 = n64.y;
let n67 = n64.z;
let n68 = n64.w;
let n69 = vec4<f32>(n35[n55]);
let n70 = n69.x;
let n71 = n69.y;
let n72 = n69.z;
let n73 = n69.w;
let n74 = (n65 + n70);
let n75 = n74;
let n76 = (n75 * n75);
n15 = (n15 + select(f32(0), n76, n53));
let n77 = (n66 + n71);
let n78 = n77;
let n79 = (n78 * n78);
n15 = (n15 + select(f32(0), n79, n53));
let n80 = (n67 + n72);
let n81 = n80;
let n82 = (n81 * n81);
n15 = (n15 + select(f32(0), n82, n53));
let n83 = (n68 + n73);
let n84 = n83;
let n85 = (n84 * n84);
n15 = (n15 + select(f32(0), n85, n53));
let n86 = n7 + 64u;
let n87 = n86 < n11;
let n88 = min(n86, n11 - 1u);
let n89 = n12 + n88;
let n90 = 4u * n89 + 0u;
let n91 = 4u * n88 + 0u;
let n92 = 4u * n89 + 1u;
let n93 = 4u * n88 + 1u;
let n94 = 4u * n89 + 2u;
let n95 = 4u * n88 + 2u;
let n96 = 4u * n89 + 3u;
let n97 = 4u * n88 + 3u;
let n98 = vec4<f32>(n29[n89]);
let n99 = n98.x;
let n100 = n98.y;
let n101 = n98.z;
let n102 = n98.w;
let n103 = vec4<f32>(n35[n89]);
let n104 = n103.x;
let n105 = n103.y;
let n106 = n103.z;
let n107 = n103.w;
let n108 = (n99 + n104);
let n109 = n108;
let n110 = (n109 * n109);
n15 = (n15 + select(f32(0), n110, n87));
let n111 = (n100 + n105);
let n112 = n111;
let n113 = (n112 * n112);
n15 = (n15 + select(f32(0), n113, n87));
let n114 = (n101 + n106);
let n115 = n114;
let n116 = (n115 * n115);
n15 = (n15 + select(f32(0), n116, n87));
let n117 = (n102 + n107);
let n118 = n117;
let n119 = (n118 * n118);
n15 = (n15 + select(f32(0), n119, n87));
let n120 = n7 + 96u;
let n121 = n120 < n11;
let n122 = min(n120, n11 - 1u);
let n123 = n12 + n122;
let n124 = 4u * n123 + 0u;
let n125 = 4u * n122 + 0u;
let n126 = 4u * n123 + 1u;
let n127 = 4u * n122 + 1u;
let n128 = 4u * n123 + 2u;
let n129 = 4u * n122 + 2u;
let n130 = 4u * n123 + 3u;
let n131 = 4u * n122 + 3u;
let n132 = vec4<f32>(n29[n123]);
let n133 = n132.x;
let n134 = n132.y;
let n135 = n132.z;
let n136 = n132.w;
let n137 = vec4<f32>(n35[n123]);
let n138 = n137.x;
let n139 = n137.y;
let n140 = n137.z;
let n141 = n137.w;
let n142 = (n133 + n138);
let n143 = n142;
let n144 = (n143 * n143);
n15 = (n15 + select(f32(0), n144, n121));
let n145 = (n134 + n139);
let n146 = n145;
let n147 = (n146 * n146);
n15 = (n15 + select(f32(0), n147, n121));
let n148 = (n135 + n140);
let n149 = n148;
let n150 = (n149 * n149);
n15 = (n15 + select(f32(0), n150, n121));
let n151 = (n136 + n141);
let n152 = n151;
let n153 = (n152 * n152);
n15 = (n15 + select(f32(0), n153, n121));
let n154 = n7 + 128u;
let n155 = n154 < n11;
let n156 = min(n154, n11 - 1u);
let n157 = n12 + n156;
let n158 = 4u * n157 + 0u;
let n159 = 4u * n156 + 0u;
let n160 = 4u * n157 + 1u;
let n161 = 4u * n156 + 1u;
let n162 = 4u * n157 + 2u;
let n163 = 4u * n156 + 2u;
let n164 = 4u * n157 + 3u;
let n165 = 4u * n156 + 3u;
let n166 = vec4<f32>(n29[n157]);
let n167 = n166.x;
let n168 = n166.y;
let n169 = n166.z;
let n170 = n166.w;
let n171 = vec4<f32>(n35[n157]);
let n172 = n171.x;
let n173 = n171.y;
let n174 = n171.z;
let n175 = n171.w;
let n176 = (n167 + n172);
let n177 = n176;
let n178 = (n177 * n177);
n15 = (n15 + select(f32(0), n178, n155));
let n179 = (n168 + n173);
let n180 = n179;
let n181 = (n180 * n180);
n15 = (n15 + select(f32(0), n181, n155));
let n182 = (n169 + n174);
let n183 = n182;
let n184 = (n183 * n183);
n15 = (n15 + select(f32(0), n184, n155));
let n185 = (n170 + n175);
let n186 = n185;
let n187 = (n186 * n186);
n15 = (n15 + select(f32(0), n187, n155));
let n188 = n7 + 160u;
let n189 = n188 < n11;
let n190 = min(n188, n11 - 1u);
let n191 = n12 + n190;
let n192 = 4u * n191 + 0u;
let n193 = 4u * n190 + 0u;
let n194 = 4u * n191 + 1u;
let n195 = 4u * n190 + 1u;
let n196 = 4u * n191 + 2u;
let n197 = 4u * n190 + 2u;
let n198 = 4u * n191 + 3u;
let n199 = 4u * n190 + 3u;
let n200 = vec4<f32>(n29[n191]);
let n201 = n200.x;
let n202 = n200.y;
let n203 = n200.z;
let n204 = n200.w;
let n205 = vec4<f32>(n35[n191]);
let n206 = n205.x;
let n207 = n205.y;
let n208 = n205.z;
let n209 = n205.w;
let n210 = (n201 + n206);
let n211 = n210;
let n212 = (n211 * n211);
n15 = (n15 + select(f32(0), n212, n189));
let n213 = (n202 + n207);
let n214 = n213;
let n215 = (n214 * n214);
n15 = (n15 + select(f32(0), n215, n189));
let n216 = (n203 + n208);
let n217 = n216;
let n218 = (n217 * n217);
n15 = (n15 + select(f32(0), n218, n189));
let n219 = (n204 + n209);
let n220 = n219;
let n221 = (n220 * n220);
n15 = (n15 + select(f32(0), n221, n189));
let n222 = n7 + 192u;
let n223 = n222 < n11;
let n224 = min(n222, n11 - 1u);
let n225 = n12 + n224;
let n226 = 4u * n225 + 0u;
let n227 = 4u * n224 + 0u;
let n228 = 4u * n225 + 1u;
let n229 = 4u * n224 + 1u;
let n230 = 4u * n225 + 2u;
let n231 = 4u * n224 + 2u;
let n232 = 4u * n225 + 3u;
let n233 = 4u * n224 + 3u;
let n234 = vec4<f32>(n29[n225]);
let n235 = n234.x;
let n236 = n234.y;
let n237 = n234.z;
let n238 = n234.w;
let n239 = vec4<f32>(n35[n225]);
let n240 = n239.x;
let n241 = n239.y;
let n242 = n239.z;
let n243 = n239.w;
let n244 = (n235 + n240);
let n245 = n244;
let n246 = (n245 * n245);
n15 = (n15 + select(f32(0), n246, n223));
let n247 = (n236 + n241);
let n248 = n247;
let n249 = (n248 * n248);
n15 = (n15 + select(f32(0), n249, n223));
let n250 = (n237 + n242);
let n251 = n250;
let n252 = (n251 * n251);
n15 = (n15 + select(f32(0), n252, n223));
let n253 = (n238 + n243);
let n254 = n253;
let n255 = (n254 * n254);
n15 = (n15 + select(f32(0), n255, n223));
let n256 = n7 + 224u;
let n257 = n256 < n11;
let n258 = min(n256, n11 - 1u);
let n259 = n12 + n258;
let n260 = 4u * n259 + 0u;
let n261 = 4u * n258 + 0u;
let n262 = 4u * n259 + 1u;
let n263 = 4u * n258 + 1u;
let n264 = 4u * n259 + 2u;
let n265 = 4u * n258 + 2u;
let n266 = 4u * n259 + 3u;
let n267 = 4u * n258 + 3u;
let n268 = vec4<f32>(n29[n259]);
let n269 = n268.x;
let n270 = n268.y;
let n271 = n268.z;
let n272 = n268.w;
let n273 = vec4<f32>(n35[n259]);
let n274 = n273.x;
let n275 = n273.y;
let n276 = n273.z;
let n277 = n273.w;
let n278 = (n269 + n274);
let n279 = n278;
let n280 = (n279 * n279);
n15 = (n15 + select(f32(0), n280, n257));
let n281 = (n270 + n275);
let n282 = n281;
let n283 = (n282 * n282);
n15 = (n15 + select(f32(0), n283, n257));
let n284 = (n271 + n276);
let n285 = n284;
let n286 = (n285 * n285);
n15 = (n15 + select(f32(0), n286, n257));
let n287 = (n272 + n277);
let n288 = n287;
let n289 = (n288 * n288);
n15 = (n15 + select(f32(0), n289, n257));
n290[n3] = n15;
workgroupBarrier();
for (var n291 = 16u; n291 > 0u; n291 >>= 1u) {
if (n7 < n291) { n290[n3] = (n290[n3] + n290[n3 + n291]); }
workgroupBarrier();
}
let n292 = n290[n3 - n7];
workgroupBarrier();
let n293 = n294(n292, n13);
let n295 = (n293 + n14);
let n296 = inverseSqrt(n295);
let n297 = (n296 * n296);
let n298 = (n41 * n296);
let n299 = f32(n300[n21]);
let n301 = n299;
let n302 = (n298 * n301);
let n303 = n302;
let n304 = (n44 * n296);
let n305 = f32(n300[n23]);
let n306 = n305;
let n307 = (n304 * n306);
let n308 = n307;
let n309 = (n47 * n296);
let n310 = f32(n300[n25]);
let n311 = n310;
let n312 = (n309 * n311);
let n313 = n312;
let n314 = (n50 * n296);
let n315 = f32(n300[n27]);
let n316 = n315;
let n317 = (n314 * n316);
let n318 = n317;
if (n9 && n17) {
n319[n19] = vec4<f16>(vec4<f32>(n303, n308, n313, n318));
}
let n320 = (n75 * n296);
let n321 = f32(n300[n57]);
let n322 = n321;
let n323 = (n320 * n322);
let n324 = n323;
let n325 = (n78 * n296);
let n326 = f32(n300[n59]);
let n327 = n326;
let n328 = (n325 * n327);
let n329 = n328;
let n330 = (n81 * n296);
let n331 = f32(n300[n61]);
let n332 = n331;
let n333 = (n330 * n332);
let n334 = n333;
let n335 = (n84 * n296);
let n336 = f32(n300[n63]);
let n337 = n336;
let n338 = (n335 * n337);
let n339 = n338;
if (n9 && n53) {
n319[n55] = vec4<f16>(vec4<f32>(n324, n329, n334, n339));
}
let n340 = (n109 * n296);
let n341 = f32(n300[n91]);
let n342 = n341;
let n343 = (n340 * n342);
let n344 = n343;
let n345 = (n112 * n296);
let n346 = f32(n300[n93]);
let n347 = n346;
let n348 = (n345 * n347);
let n349 = n348;
let n350 = (n115 * n296);
let n351 = f32(n300[n95]);
let n352 = n351;
let n353 = (n350 * n352);
let n354 = n353;
let n355 = (n118 * n296);
let n356 = f32(n300[n97]);
let n357 = n356;
let n358 = (n355 * n357);
let n359 = n358;
if (n9 && n87) {
n319[n89] = vec4<f16>(vec4<f32>(n344, n349, n354, n359));
}
let n360 = (n143 * n296);
let n361 = f32(n300[n125]);
let n362 = n361;
let n363 = (n360 * n362);
let n364 = n363;
let n365 = (n146 * n296);
let n366 = f32(n300[n127]);
let n367 = n366;
let n368 = (n365 * n367);
let n369 = n368;
let n370 = (n149 * n296);
let n371 = f32(n300[n129]);
let n372 = n371;
let n373 = (n370 * n372);
let n374 = n373;
let n375 = (n152 * n296);
let n376 = f32(n300[n131]);
let n377 = n376;
let n378 = (n375 * n377);
let n379 = n378;
if (n9 && n121) {
n319[n123] = vec4<f16>(vec4<f32>(n364, n369, n374, n379));
}
let n380 = (n177 * n296);
let n381 = f32(n300[n159]);
let n382 = n381;
let n383 = (n380 * n382);
let n384 = n383;
let n385 = (n180 * n296);
let n386 = f32(n300[n161]);
let n387 = n386;
let n388 = (n385 * n387);
let n389 = n388;
let n390 = (n183 * n296);
let n391 = f32(n300[n163]);
let n392 = n391;
let n393 = (n390 * n392);
let n394 = n393;
let n395 = (n186 * n296);
let n396 = f32(n300[n165]);
let n397 = n396;
let n398 = (n395 * n397);
let n399 = n398;
if (n9 && n155) {
n319[n157] = vec4<f16>(vec4<f32>(n384, n389, n394, n399));
}
let n400 = (n211 * n296);
let n401 = f32(n300[n193]);
let n402 = n401;
let n403 = (n400 * n402);
let n404 = n403;
let n405 = (n214 * n296);
let n406 = f32(n300[n195]);
let n407 = n406;
let n408 = (n405 * n407);
let n409 = n408;
let n410 = (n217 * n296);
let n411 = f32(n300[n197]);
let n412 = n411;
let n413 = (n410 * n412);
let n414 = n413;
let n415 = (n220 * n296);
let n416 = f32(n300[n199]);
let n417 = n416;
let n418 = (n415 * n417);
let n419 = n418;
if (n9 && n189) {
n319[n191] = vec4<f16>(vec4<f32>(n404, n409, n414, n419));
}
let n420 = (n245 * n296);
let n421 = f32(n300[n227]);
let n422 = n421;
let n423 = (n420 * n422);
let n424 = n423;
let n425 = (n248 * n296);
let n426 = f32(n300[n229]);
let n427 = n426;
let n428 = (n425 * n427);
let n429 = n428;
let n430 = (n251 * n296);
let n431 = f32(n300[n231]);
let n432 = n431;
let n433 = (n430 * n432);
let n434 = n433;
let n435 = (n254 * n296);
let n436 = f32(n300[n233]);
let n437 = n436;
let n438 = (n435 * n437);
let n439 = n438;
if (n9 && n223) {
n319[n225] = vec4<f16>(vec4<f32>(n424, n429, n434, n439));
}
let n440 = (n279 * n296);
let n441 = f32(n300[n261]);
let n442 = n441;
let n443 = (n440 * n442);
let n444 = n443;
let n445 = (n282 * n296);
let n446 = f32(n300[n263]);
let n447 = n446;
let n448 = (n445 * n447);
let n449 = n448;
let n450 = (n285 * n296);
let n451 = f32(n300[n265]);
let n452 = n451;
let n453 = (n450 * n452);
let n454 = n453;
let n455 = (n288 * n296);
let n456 = f32(n300[n267]);
let n457 = n456;
let n458 = (n455 * n457);
let n459 = n458;
if (n9 && n257) {
n319[n259] = vec4<f16>(vec4<f32>(n444, n449, n454, n459));
}
if (n7 == 0u && n9) {
n460[n10] = n296;
n461[n10] = n297;
}
}
// c559f6c4dada
@group(0) @binding(3) var<storage, read> n0: array<i32>;
// c6082589b4fa
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
n34[n3] = n13;
workgroupBarrier();
for (var n35 = 64u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = n33(n34[n3], n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
var n37: f32 = f32(0);
let n38 = (n29 - n36);
let n39 = n40(n38);
n37 = (n37 + select(f32(0), n39, n16));
let n41 = (n30 - n36);
let n42 = n40(n41);
n37 = (n37 + select(f32(0), n42, n16));
let n43 = (n31 - n36);
let n44 = n40(n43);
n37 = (n37 + select(f32(0), n44, n16));
let n45 = (n32 - n36);
let n46 = n40(n45);
n37 = (n37 + select(f32(0), n46, n16));
n34[n3] = n37;
workgroupBarrier();
for (var n35 = 64u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n47 = n34[n3 - n7];
workgroupBarrier();
let n48 = n49(n39, n47);
let n50 = n49(n42, n47);
let n51 = n49(n44, n47);
let n52 = n49(n46, n47);
if (n9 && n16) {
n53[n18] = vec4<f32>(n48, n50, n51, n52);
}
}
// c851d7d9c4d6
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[3].y);
let n15 = (n10 * n14);
let n16 = (n10 * n10);
let n17 = (n16 * n10);
let n18 = bitcast<f32>(n3[3].z);
let n19 = (n17 * n18);
let n20 = (n10 + n19);
let n21 = bitcast<f32>(n3[3].w);
let n22 = (n20 * n21);
let n23 = n24(n22);
let n25 = bitcast<f32>(n3[4].x);
let n26 = (n23 + n25);
let n27 = (n15 * n26);
let n28 = n29[n1];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n27 * n30);
let n35 = (n11 * n14);
let n36 = (n11 * n11);
let n37 = (n36 * n11);
let n38 = (n37 * n18);
let n39 = (n11 + n38);
let n40 = (n39 * n21);
let n41 = n24(n40);
let n42 = (n41 + n25);
let n43 = (n35 * n42);
let n44 = (n43 * n31);
let n45 = (n12 * n14);
let n46 = (n12 * n12);
let n47 = (n46 * n12);
let n48 = (n47 * n18);
let n49 = (n12 + n48);
let n50 = (n49 * n21);
let n51 = n24(n50);
let n52 = (n51 + n25);
let n53 = (n45 * n52);
let n54 = (n53 * n32);
let n55 = (n13 * n14);
let n56 = (n13 * n13);
let n57 = (n56 * n13);
let n58 = (n57 * n18);
let n59 = (n13 + n58);
let n60 = (n59 * n21);
let n61 = n24(n60);
let n62 = (n61 + n25);
let n63 = (n55 * n62);
let n64 = (n63 * n33);
let n65 = n66(n10);
let n67 = (n10 * n65);
let n68 = n66(n11);
let n69 = (n11 * n68);
let n70 = n66(n12);
let n71 = (n12 * n70);
let n72 = n66(n13);
let n73 = (n13 * n72);
n74[n1] = vec4<f32>(n34, n44, n54, n64);
n75[n1] = vec4<f32>(n67, n69, n71, n73);
}
// c988f7fddee7
alias n0 = array<vec4<f32>, n1 * 4u>;
// c9adbb97a6ed
@group(0) @binding(5) var<storage, read> n0: array<f32>;
// ca6349cd9013
@group(0) @binding(8) var<storage, read> n0: array<f32>;
// ca6d9b126a4a
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 64u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 64u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
n38[n3] = n15;
workgroupBarrier();
for (var n39 = 32u; n39 > 0u; n39 >>= 1u) {
if (n7 < n39) { n38[n3] = (n38[n3] + n38[n3 + n39]); }
workgroupBarrier();
}
let n40 = n38[n3 - n7];
workgroupBarrier();
let n41 = n42(n40, n13);
let n43 = (n41 + n14);
let n44 = inverseSqrt(n43);
let n45 = (n30 * n44);
let n46 = n47[n21];
let n48 = (n45 * n46);
let n49 = (n31 * n44);
let n50 = n47[n23];
let n51 = (n49 * n50);
let n52 = (n32 * n44);
let n53 = n47[n25];
let n54 = (n52 * n53);
let n55 = (n33 * n44);
let n56 = n47[n27];
let n57 = (n55 * n56);
if (n9 && n17) {
n58[n19] = vec4<f32>(n48, n51, n54, n57);
}
}
// caa572b74cf8
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n4 - n3[0].z;
let n15 = n14 < n3[0].w;
let n16 = select(0u, n14, n15);
let n17 = n18[n16];
let n19 = bitcast<f32>(n3[6].y);
let n20 = select(n19, n17, n15);
let n21 = (n10 + n20);
let n22 = n4 - n3[2].x;
let n23 = n22 < n3[2].y;
let n24 = select(0u, n22, n23);
let n25 = n26[n24];
let n27 = select(n19, n25, n23);
let n28 = (n21 + n27);
let n29 = n4 - n3[2].w;
let n30 = n29 < n3[3].x;
let n31 = select(0u, n29, n30);
let n32 = n33[n31];
let n34 = select(n19, n32, n30);
let n35 = (n28 + n34);
let n36 = n4 - n3[3].z;
let n37 = n36 < n3[3].w;
let n38 = select(0u, n36, n37);
let n39 = n40[n38];
let n41 = select(n19, n39, n37);
let n42 = (n35 + n41);
let n43 = n4 - n3[4].y;
let n44 = n43 < n3[4].z;
let n45 = select(0u, n43, n44);
let n46 = n47[n45];
let n48 = select(n19, n46, n44);
let n49 = (n42 + n48);
let n50 = n4 - n3[5].x;
let n51 = n50 < n3[5].y;
let n52 = select(0u, n50, n51);
let n53 = n54[n52];
let n55 = select(n19, n53, n51);
let n56 = (n49 + n55);
let n57 = n4 - n3[5].w;
let n58 = n57 < n3[6].x;
let n59 = select(0u, n57, n58);
let n60 = n61[n59];
let n62 = select(n19, n60, n58);
let n63 = (n56 + n62);
let n64 = n5 - n3[0].z;
let n65 = n64 < n3[0].w;
let n66 = select(0u, n64, n65);
let n67 = n18[n66];
let n68 = select(n19, n67, n65);
let n69 = (n11 + n68);
let n70 = n5 - n3[2].x;
let n71 = n70 < n3[2].y;
let n72 = select(0u, n70, n71);
let n73 = n26[n72];
let n74 = select(n19, n73, n71);
let n75 = (n69 + n74);
let n76 = n5 - n3[2].w;
let n77 = n76 < n3[3].x;
let n78 = select(0u, n76, n77);
let n79 = n33[n78];
let n80 = select(n19, n79, n77);
let n81 = (n75 + n80);
let n82 = n5 - n3[3].z;
let n83 = n82 < n3[3].w;
let n84 = select(0u, n82, n83);
let n85 = n40[n84];
let n86 = select(n19, n85, n83);
let n87 = (n81 + n86);
let n88 = n5 - n3[4].y;
let n89 = n88 < n3[4].z;
let n90 = select(0u, n88, n89);
let n91 = n47[n90];
let n92 = select(n19, n91, n89);
let n93 = (n87 + n92);
let n94 = n5 - n3[5].x;
let n95 = n94 < n3[5].y;
let n96 = select(0u, n94, n95);
let n97 = n54[n96];
let n98 = select(n19, n97, n95);
let n99 = (n93 + n98);
let n100 = n5 - n3[5].w;
let n101 = n100 < n3[6].x;
let n102 = select(0u, n100, n101);
let n103 = n61[n102];
let n104 = select(n19, n103, n101);
let n105 = (n99 + n104);
let n106 = n6 - n3[0].z;
let n107 = n106 < n3[0].w;
let n108 = select(0u, n106, n107);
let n109 = n18[n108];
let n110 = select(n19, n109, n107);
let n111 = (n12 + n110);
let n112 = n6 - n3[2].x;
let n113 = n112 < n3[2].y;
let n114 = select(0u, n112, n113);
let n115 = n26[n114];
let n116 = select(n19, n115, n113);
let n117 = (n111 + n116);
let n118 = n6 - n3[2].w;
let n119 = n118 < n3[3].x;
let n120 = select(0u, n118, n119);
let n121 = n33[n120];
let n122 = select(n19, n121, n119);
let n123 = (n117 + n122);
let n124 = n6 - n3[3].z;
let n125 = n124 < n3[3].w;
let n126 = select(0u, n124, n125);
let n127 = n40[n126];
let n128 = select(n19, n127, n125);
let n129 = (n123 + n128);
let n130 = n6 - n3[4].y;
let n131 = n130 < n3[4].z;
let n132 = select(0u, n130, n131);
let n133 = n47[n132];
let n134 = select(n19, n133, n131);
let n135 = (n129 + n134);
let n136 = n6 - n3[5].x;
let n137 = n136 < n3[5].y;
let n138 = select(0u, n136, n137);
let n139 = n54[n138];
let n140 = select(n19, n139, n137);
let n141 = (n135 + n140);
let n142 = n6 - n3[5].w;
let n143 = n142 < n3[6].x;
let n144 = select(0u, n142, n143);
let n145 = n61[n144];
let n146 = select(n19, n145, n143);
let n147 = (n141 + n146);
let n148 = n7 - n3[0].z;
let n149 = n148 < n3[0].w;
let n150 = select(0u, n148, n149);
let n151 = n18[n150];
let n152 = select(n19, n151, n149);
let n153 = (n13 + n152);
let n154 = n7 - n3[2].x;
let n155 = n154 < n3[2].y;
let n156 = select(0u, n154, n155);
let n157 = n26[n156];
let n158 = select(n19, n157, n155);
let n159 = (n153 + n158);
let n160 = n7 - n3[2].w;
let n161 = n160 < n3[3].x;
let n162 = select(0u, n160, n161);
let n163 = n33[n162];
let n164 = select(n19, n163, n161);
let n165 = (n159 + n164);
let n166 = n7 - n3[3].z;
let n167 = n166 < n3[3].w;
let n168 = select(0u, n166, n167);
let n169 = n40[n168];
let n170 = select(n19, n169, n167);
let n171 = (n165 + n170);
let n172 = n7 - n3[4].y;
let n173 = n172 < n3[4].z;
let n174 = select(0u, n172, n173);
let n175 = n47[n174];
let n176 = select(n19, n175, n173);
let n177 = (n171 + n176);
let n178 = n7 - n3[5].x;
let n179 = n178 < n3[5].y;
let n180 = select(0u, n178, n179);
let n181 = n54[n180];
let n182 = select(n19, n181, n179);
let n183 = (n177 + n182);
let n184 = n7 - n3[5].w;
let n185 = n184 < n3[6].x;
let n186 = select(0u, n184, n185);
let n187 = n61[n186];
let n188 = select(n19, n187, n185);
let n189 = (n183 + n188);
n190[n1] = vec4<f32>(n63, n105, n147, n189);
}
// caa6c0f62dbe
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
let n6 = (n1.n7 + n3 * n8[1].x + n4) >> 2u;
let n9 = n10(n6);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(vec4<f32>(n11, n12, n13, n14));
}
// cb002cafc2c6
fn n0(n1: u32) -> vec4<f32> {
return n2[n1];
}
// cb4044f97d03
fn n0(n1: u32, n2: u32) -> vec2<u32> {
let n3 = n1 & 0xffffu;
let n4 = n1 >> 16u;
let n5 = n2 & 0xffffu;
let n6 = n2 >> 16u;
let n7 = n3 * n5;
let n8 = n4 * n5 + (n7 >> 16u);
let n9 = n3 * n6 + (n8 & 0xffffu);
return vec2<u32>(n1 * n2, n4 * n6 + (n8 >> 16u) + (n9 >> 16u));
}
// cb4c958ea843
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n2 / n4[3].w;
let n5 = n2 - n3 * n4[3].w;
let n6 = n7[n1];
let n8 = (bitcast<i32>((n6 >> 0u) << 24u) >> 24u);
let n9 = (bitcast<i32>((n6 >> 8u) << 24u) >> 24u);
let n10 = (bitcast<i32>((n6 >> 16u) << 24u) >> 24u);
let n11 = (bitcast<i32>((n6 >> 24u) << 24u) >> 24u);
let n12 = n13(n14(f32(n8)));
let n15 = n13((n16[n5 >> 1u] >> ((n5 & 1u) << 4u)) & 0xffffu);
let n17 = (n12 * n15);
let n18 = n2 + 1u;
let n19 = n5 + 1u == n4[3].w;
let n20 = select(n3, n3 + 1u, n19);
let n21 = select(n5 + 1u, 0u, n19);
let n22 = n13(n14(f32(n9)));
let n23 = n13((n16[n21 >> 1u] >> ((n21 & 1u) << 4u)) & 0xffffu);
let n24 = (n22 * n23);
let n25 = n2 + 2u;
let n26 = n21 + 1u == n4[3].w;
let n27 = select(n20, n20 + 1u, n26);
let n28 = select(n21 + 1u, 0u, n26);
let n29 = n13(n14(f32(n10)));
let n30 = n13((n16[n28 >> 1u] >> ((n28 & 1u) << 4u)) & 0xffffu);
let n31 = (n29 * n30);
let n32 = n2 + 3u;
let n33 = n28 + 1u == n4[3].w;
let n34 = select(n27, n27 + 1u, n33);
let n35 = select(n28 + 1u, 0u, n33);
let n36 = n13(n14(f32(n11)));
let n37 = n13((n16[n35 >> 1u] >> ((n35 & 1u) << 4u)) & 0xffffu);
let n38 = (n36 * n37);
return vec4<f32>(n13(n14(n17)), n13(n14(n24)), n13(n14(n31)), n13(n14(n38)));
}
// cb6e703dc16e
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[2].z;
n2.n4 += (n3 % n5[1].z) * n5[1].w;
n3 = n3 / n5[1].z;
n2.n4 += (n3 % n5[1].x) * n5[1].y;
n3 = n3 / n5[1].x;
}
{ var n3 = z;
n2.n6 = n5[10].y;
n2.n6 += (n3 % n5[2].w) * n5[3].y;
n3 = n3 / n5[2].w;
}
return n2;
}
// cbebc6207f69
@group(0) @binding(4) var<storage, read_write> n0: array<f32>;
// cbf58c95d0e7
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[2u * n19];
let n30 = n29[2u * n19 + 1u];
let n31 = n32((n28 >> 0u) & 0xffffu);
let n33 = n32((n28 >> 16u) & 0xffffu);
let n34 = n32((n30 >> 0u) & 0xffffu);
let n35 = n32((n30 >> 16u) & 0xffffu);
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n33;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n34;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n35;
let n43 = (n42 * n42);
n15 = (n15 + select(f32(0), n43, n17));
let n44 = n7 + 32u;
let n45 = n44 < n11;
let n46 = min(n44, n11 - 1u);
let n47 = n12 + n46;
let n48 = 4u * n47 + 0u;
let n49 = 4u * n46 + 0u;
let n50 = 4u * n47 + 1u;
let n51 = 4u * n46 + 1u;
let n52 = 4u * n47 + 2u;
let n53 = 4u * n46 + 2u;
let n54 = 4u * n47 + 3u;
let n55 = 4u * n46 + 3u;
let n56 = n29[2u * n47];
let n57 = n29[2u * n47 + 1u];
let n58 = n32((n56 >> 0u) & 0xffffu);
let n59 = n32((n56 >> 16u) & 0xffffu);
let n60 = n32((n57 >> 0u) & 0xffffu);
let n61 = n32((n57 >> 16u) & 0xffffu);
let n62 = n58;
let n63 = (n62 * n62);
n15 = (n15 + select(f32(0), n63, n45));
let n64 = n59;
let n65 = (n64 * n64);
n15 = (n15 + select(f32(0), n65, n45));
let n66 = n60;
let n67 = (n66 * n66);
n15 = (n15 + select(f32(0), n67, n45));
let n68 = n61;
let n69 = (n68 * n68);
n15 = (n15 + select(f32(0), n69, n45));
let n70 = n7 + 64u;
let n71 = n70 < n11;
let n72 = min(n70, n11 - 1u);
let n73 = n12 + n72;
let n74 = 4u * n73 + 0u;
let n75 = 4u * n72 + 0u;
let n76 = 4u * n73 + 1u;
let n77 = 4u * n72 + 1u;
let n78 = 4u * n73 + 2u;
let n79 = 4u * n72 + 2u;
let n80 = 4u * n73 + 3u;
let n81 = 4u * n72 + 3u;
let n82 = n29[2u * n73];
let n83 = n29[2u * n73 + 1u];
let n84 = n32((n82 >> 0u) & 0xffffu);
let n85 = n32((n82 >> 16u) & 0xffffu);
let n86 = n32((n83 >> 0u) & 0xffffu);
let n87 = n32((n83 >> 16u) & 0xffffu);
let n88 = n84;
let n89 = (n88 * n88);
n15 = (n15 + select(f32(0), n89, n71));
let n90 = n85;
let n91 = (n90 * n90);
n15 = (n15 + select(f32(0), n91, n71));
let n92 = n86;
let n93 = (n92 * n92);
n15 = (n15 + select(f32(0), n93, n71));
let n94 = n87;
let n95 = (n94 * n94);
n15 = (n15 + select(f32(0), n95, n71));
let n96 = n7 + 96u;
let n97 = n96 < n11;
let n98 = min(n96, n11 - 1u);
let n99 = n12 + n98;
let n100 = 4u * n99 + 0u;
let n101 = 4u * n98 + 0u;
let n102 = 4u * n99 + 1u;
let n103 = 4u * n98 + 1u;
let n104 = 4u * n99 + 2u;
let n105 = 4u * n98 + 2u;
let n106 = 4u * n99 + 3u;
let n107 = 4u * n98 + 3u;
let n108 = n29[2u * n99];
let n109 = n29[2u * n99 + 1u];
let n110 = n32((n108 >> 0u) & 0xffffu);
let n111 = n32((n108 >> 16u) & 0xffffu);
let n112 = n32((n109 >> 0u) & 0xffffu);
let n113 = n32((n109 >> 16u) & 0xffffu);
let n114 = n110;
let n115 = (n114 * n114);
n15 = (n15 + select(f32(0), n115, n97));
let n116 = n111;
let n117 = (n116 * n116);
n15 = (n15 + select(f32(0), n117, n97));
let n118 = n112;
let n119 = (n118 * n118);
n15 = (n15 + select(f32(0), n119, n97));
let n120 = n113;
let n121 = (n120 * n120);
n15 = (n15 + select(f32(0), n121, n97));
let n122 = n7 + 128u;
let n123 = n122 < n11;
let n124 = min(n122, n11 - 1u);
let n125 = n12 + n124;
let n126 = 4u * n125 + 0u;
let n127 = 4u * n124 + 0u;
let n128 = 4u * n125 + 1u;
let n129 = 4u * n124 + 1u;
let n130 = 4u * n125 + 2u;
let n131 = 4u * n124 + 2u;
let n132 = 4u * n125 + 3u;
let n133 = 4u * n124 + 3u;
let n134 = n29[2u * n125];
let n135 = n29[2u * n125 + 1u];
let n136 = n32((n134 >> 0u) & 0xffffu);
let n137 = n32((n134 >> 16u) & 0xffffu);
let n138 = n32((n135 >> 0u) & 0xffffu);
let n139 = n32((n135 >> 16u) & 0xffffu);
let n140 = n136;
let n141 = (n140 * n140);
n15 = (n15 + select(f32(0), n141, n123));
let n142 = n137;
let n143 = (n142 * n142);
n15 = (n15 + select(f32(0), n143, n123));
let n144 = n138;
let n145 = (n144 * n144);
n15 = (n15 + select(f32(0), n145, n123));
let n146 = n139;
let n147 = (n146 * n146);
n15 = (n15 + select(f32(0), n147, n123));
let n148 = n7 + 160u;
let n149 = n148 < n11;
let n150 = min(n148, n11 - 1u);
let n151 = n12 + n150;
let n152 = 4u * n151 + 0u;
let n153 = 4u * n150 + 0u;
let n154 = 4u * n151 + 1u;
let n155 = 4u * n150 + 1u;
let n156 = 4u * n151 + 2u;
let n157 = 4u * n150 + 2u;
let n158 = 4u * n151 + 3u;
let n159 = 4u * n150 + 3u;
let n160 = n29[2u * n151];
let n161 = n29[2u * n151 + 1u];
let n162 = n32((n160 >> 0u) & 0xffffu);
let n163 = n32((n160 >> 16u) & 0xffffu);
let n164 = n32((n161 >> 0u) & 0xffffu);
let n165 = n32((n161 >> 16u) & 0xffffu);
let n166 = n162;
let n167 = (n166 * n166);
n15 = (n15 + select(f32(0), n167, n149));
let n168 = n163;
let n169 = (n168 * n168);
n15 = (n15 + select(f32(0), n169, n149));
let n170 = n164;
let n171 = (n170 * n170);
n15 = (n15 + select(f32(0), n171, n149));
let n172 = n165;
let n173 = (n172 * n172);
n15 = (n15 + select(f32(0), n173, n149));
let n174 = n7 + 192u;
let n175 = n174 < n11;
let n176 = min(n174, n11 - 1u);
let n177 = n12 + n176;
let n178 = 4u * n177 + 0u;
let n179 = 4u * n176 + 0u;
let n180 = 4u * n177 + 1u;
let n181 = 4u * n176 + 1u;
let n182 = 4u * n177 + 2u;
let n183 = 4u * n176 + 2u;
let n184 = 4u * n177 + 3u;
let n185 = 4u * n176 + 3u;
let n186 = n29[2u * n177];
let n187 = n29[2u * n177 + 1u];
let n188 = n32((n186 >> 0u) & 0xffffu);
let n189 = n32((n186 >> 16u) & 0xffffu);
let n190 = n32((n187 >> 0u) & 0xffffu);
let n191 = n32((n187 >> 16u) & 0xffffu);
let n192 = n188;
let n193 = (n192 * n192);
n15 = (n15 + select(f32(0), n193, n175));
let n194 = n189;
let n195 = (n194 * n194);
n15 = (n15 + select(f32(0), n195, n175));
let n196 = n190;
let n197 = (n196 * n196);
n15 = (n15 + select(f32(0), n197, n175));
let n198 = n191;
let n199 = (n198 * n198);
n15 = (n15 + select(f32(0), n199, n175));
let n200 = n7 + 224u;
let n201 = n200 < n11;
let n202 = min(n200, n11 - 1u);
let n203 = n12 + n202;
let n204 = 4u * n203 + 0u;
let n205 = 4u * n202 + 0u;
let n206 = 4u * n203 + 1u;
let n207 = 4u * n202 + 1u;
let n208 = 4u * n203 + 2u;
let n209 = 4u * n202 + 2u;
let n210 = 4u * n203 + 3u;
let n211 = 4u * n202 + 3u;
let n212 = n29[2u * n203];
let n213 = n29[2u * n203 + 1u];
let n214 = n32((n212 >> 0u) & 0xffffu);
let n215 = n32((n212 >> 16u) & 0xffffu);
let n216 = n32((n213 >> 0u) & 0xffffu);
let n217 = n32((n213 >> 16u) & 0xffffu);
let n218 = n214;
let n219 = (n218 * n218);
n15 = (n15 + select(f32(0), n219, n201));
let n220 = n215;
let n221 = (n220 * n220);
n15 = (n15 + select(f32(0), n221, n201));
let n222 = n216;
let n223 = (n222 * n222);
n15 = (n15 + select(f32(0), n223, n201));
let n224 = n217;
let n225 = (n224 * n224);
n15 = (n15 + select(f32(0), n225, n201));
n226[n3] = n15;
workgroupBarrier();
for (var n227 = 16u; n227 > 0u; n227 >>= 1u) {
if (n7 < n227) { n226[n3] = (n226[n3] + n226[n3 + n227]); }
workgroupBarrier();
}
let n228 = n226[n3 - n7];
workgroupBarrier();
let n229 = n230(n228, n13);
let n231 = (n229 + n14);
let n232 = inverseSqrt(n231);
let n233 = (n232 * n232);
let n234 = (n36 * n232);
let n235 = n32((n236[n21 >> 1u] >> ((n21 & 1u) << 4u)) & 0xffffu);
let n237 = n235;
let n238 = (n234 * n237);
let n239 = n238;
let n240 = (n38 * n232);
let n241 = n32((n236[n23 >> 1u] >> ((n23 & 1u) << 4u)) & 0xffffu);
let n242 = n241;
let n243 = (n240 * n242);
let n244 = n243;
let n245 = (n40 * n232);
let n246 = n32((n236[n25 >> 1u] >> ((n25 & 1u) << 4u)) & 0xffffu);
let n247 = n246;
let n248 = (n245 * n247);
let n249 = n248;
let n250 = (n42 * n232);
let n251 = n32((n236[n27 >> 1u] >> ((n27 & 1u) << 4u)) & 0xffffu);
let n252 = n251;
let n253 = (n250 * n252);
let n254 = n253;
if (n9 && n17) {
n255[2u * n19] = n256(n239) | (n256(n244) << 16u);
n255[2u * n19 + 1u] = n256(n249) | (n256(n254) << 16u);
}
let n257 = (n62 * n232);
let n258 = n32((n236[n49 >> 1u] >> ((n49 & 1u) << 4u)) & 0xffffu);
let n259 = n258;
let n260 = (n257 * n259);
let n261 = n260;
let n262 = (n64 * n232);
let n263 = n32((n236[n51 >> 1u] >> ((n51 & 1u) << 4u)) & 0xffffu);
let n264 = n263;
let n265 = (n262 * n264);
let n266 = n265;
let n267 = (n66 * n232);
let n268 = n32((n236[n53 >> 1u] >> ((n53 & 1u) << 4u)) & 0xffffu);
let n269 = n268;
let n270 = (n267 * n269);
let n271 = n270;
let n272 = (n68 * n232);
let n273 = n32((n236[n55 >> 1u] >> ((n55 & 1u) << 4u)) & 0xffffu);
let n274 = n273;
let n275 = (n272 * n274);
let n276 = n275;
if (n9 && n45) {
n255[2u * n47] = n256(n261) | (n256(n266) << 16u);
n255[2u * n47 + 1u] = n256(n271) | (n256(n276) << 16u);
}
let n277 = (n88 * n232);
let n278 = n32((n236[n75 >> 1u] >> ((n75 & 1u) << 4u)) & 0xffffu);
let n279 = n278;
let n280 = (n277 * n279);
let n281 = n280;
let n282 = (n90 * n232);
let n283 = n32((n236[n77 >> 1u] >> ((n77 & 1u) << 4u)) & 0xffffu);
let n284 = n283;
let n285 = (n282 * n284);
let n286 = n285;
let n287 = (n92 * n232);
let n288 = n32((n236[n79 >> 1u] >> ((n79 & 1u) << 4u)) & 0xffffu);
let n289 = n288;
let n290 = (n287 * n289);
let n291 = n290;
let n292 = (n94 * n232);
let n293 = n32((n236[n81 >> 1u] >> ((n81 & 1u) << 4u)) & 0xffffu);
let n294 = n293;
let n295 = (n292 * n294);
let n296 = n295;
if (n9 && n71) {
n255[2u * n73] = n256(n281) | (n256(n286) << 16u);
n255[2u * n73 + 1u] = n256(n291) | (n256(n296) << 16u);
}
let n297 = (n114 * n232);
let n298 = n32((n236[n101 >> 1u] >> ((n101 & 1u) << 4u)) & 0xffffu);
let n299 = n298;
let n300 = (n297 * n299);
let n301 = n300;
let n302 = (n116 * n232);
let n303 = n32((n236[n103 >> 1u] >> ((n103 & 1u) << 4u)) & 0xffffu);
let n304 = n303;
let n305 = (n302 * n304);
let n306 = n305;
let n307 = (n118 * n232);
let n308 = n32((n236[n105 >> 1u] >> ((n105 & 1u) << 4u)) & 0xffffu);
let n309 = n308;
let n310 = (n307 * n309);
let n311 = n310;
let n312 = (n120 * n232);
let n313 = n32((n236[n107 >> 1u] >> ((n107 & 1u) << 4u)) & 0xffffu);
let n314 = n313;
let n315 = (n312 * n314);
let n316 = n315;
if (n9 && n97) {
n255[2u * n99] = n256(n301) | (n256(n306) << 16u);
n255[2u * n99 + 1u] = n256(n311) | (n256(n316) << 16u);
}
let n317 = (n140 * n232);
let n318 = n32((n236[n127 >> 1u] >> ((n127 & 1u) << 4u)) & 0xffffu);
let n319 = n318;
let n320 = (n317 * n319);
let n321 = n320;
let n322 = (n142 * n232);
let n323 = n32((n236[n129 >> 1u] >> ((n129 & 1u) << 4u)) & 0xffffu);
let n324 = n323;
let n325 = (n322 * n324);
let n326 = n325;
let n327 = (n144 * n232);
let n328 = n32((n236[n131 >> 1u] >> ((n131 & 1u) << 4u)) & 0xffffu);
let n329 = n328;
let n330 = (n327 * n329);
let n331 = n330;
let n332 = (n146 * n232);
let n333 = n32((n236[n133 >> 1u] >> ((n133 & 1u) << 4u)) & 0xffffu);
let n334 = n333;
let n335 = (n332 * n334);
let n336 = n335;
if (n9 && n123) {
n255[2u * n125] = n256(n321) | (n256(n326) << 16u);
n255[2u * n125 + 1u] = n256(n331) | (n256(n336) << 16u);
}
let n337 = (n166 * n232);
let n338 = n32((n236[n153 >> 1u] >> ((n153 & 1u) << 4u)) & 0xffffu);
let n339 = n338;
let n340 = (n337 * n339);
let n341 = n340;
let n342 = (n168 * n232);
let n343 = n32((n236[n155 >> 1u] >> ((n155 & 1u) << 4u)) & 0xffffu);
let n344 = n343;
let n345 = (n342 * n344);
let n346 = n345;
let n347 = (n170 * n232);
let n348 = n32((n236[n157 >> 1u] >> ((n157 & 1u) << 4u)) & 0xffffu);
let n349 = n348;
let n350 = (n347 * n349);
let n351 = n350;
let n352 = (n172 * n232);
let n353 = n32((n236[n159 >> 1u] >> ((n159 & 1u) << 4u)) & 0xffffu);
let n354 = n353;
let n355 = (n352 * n354);
let n356 = n355;
if (n9 && n149) {
n255[2u * n151] = n256(n341) | (n256(n346) << 16u);
n255[2u * n151 + 1u] = n256(n351) | (n256(n356) << 16u);
}
let n357 = (n192 * n232);
let n358 = n32((n236[n179 >> 1u] >> ((n179 & 1u) << 4u)) & 0xffffu);
let n359 = n358;
let n360 = (n357 * n359);
let n361 = n360;
let n362 = (n194 * n232);
let n363 = n32((n236[n181 >> 1u] >> ((n181 & 1u) << 4u)) & 0xffffu);
let n364 = n363;
let n365 = (n362 * n364);
let n366 = n365;
let n367 = (n196 * n232);
let n368 = n32((n236[n183 >> 1u] >> ((n183 & 1u) << 4u)) & 0xffffu);
let n369 = n368;
let n370 = (n367 * n369);
let n371 = n370;
let n372 = (n198 * n232);
let n373 = n32((n236[n185 >> 1u] >> ((n185 & 1u) << 4u)) & 0xffffu);
let n374 = n373;
let n375 = (n372 * n374);
let n376 = n375;
if (n9 && n175) {
n255[2u * n177] = n256(n361) | (n256(n366) << 16u);
n255[2u * n177 + 1u] = n256(n371) | (n256(n376) << 16u);
}
let n377 = (n218 * n232);
let n378 = n32((n236[n205 >> 1u] >> ((n205 & 1u) << 4u)) & 0xffffu);
let n379 = n378;
let n380 = (n377 * n379);
let n381 = n380;
let n382 = (n220 * n232);
let n383 = n32((n236[n207 >> 1u] >> ((n207 & 1u) << 4u)) & 0xffffu);
let n384 = n383;
let n385 = (n382 * n384);
let n386 = n385;
let n387 = (n222 * n232);
let n388 = n32((n236[n209 >> 1u] >> ((n209 & 1u) << 4u)) & 0xffffu);
let n389 = n388;
let n390 = (n387 * n389);
let n391 = n390;
let n392 = (n224 * n232);
let n393 = n32((n236[n211 >> 1u] >> ((n211 & 1u) << 4u)) & 0xffffu);
let n394 = n393;
let n395 = (n392 * n394);
let n396 = n395;
if (n9 && n201) {
n255[2u * n203] = n256(n381) | (n256(n386) << 16u);
n255[2u * n203 + 1u] = n256(n391) | (n256(n396) << 16u);
}
if (n7 == 0u && n9) {
n397[n10] = n232;
n398[n10] = n233;
}
}
// cc18ff270c27
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
var n14: f32 = f32(0);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n14 = (n14 + select(f32(0), n30, n17));
n14 = (n14 + select(f32(0), n31, n17));
n14 = (n14 + select(f32(0), n32, n17));
n14 = (n14 + select(f32(0), n33, n17));
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = subgroupAdd(n14);
if (n3 % 32u == 0u) { n35[n3 / 32u] = n34; }
workgroupBarrier();
let n36 = (n3 - n7) / 32u;
var n37 = n35[n36];
for (var n38 = 1u; n38 < 8u; n38++) { n37 = (n37 + n35[n36 + n38]); }
let n39 = n37;
workgroupBarrier();
let n40 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n35[n3 / 32u] = n40; }
workgroupBarrier();
let n41 = (n3 - n7) / 32u;
var n42 = n35[n41];
for (var n38 = 1u; n38 < 8u; n38++) { n42 = (n42 + n35[n41 + n38]); }
let n43 = n42;
workgroupBarrier();
let n44 = n45(n39, n13);
let n46 = n45(n43, n13);
var n47: f32 = f32(0);
let n48 = (n30 - n46);
let n49 = (n48 * n48);
n47 = (n47 + select(f32(0), n49, n17));
let n50 = (n31 - n46);
let n51 = (n50 * n50);
n47 = (n47 + select(f32(0), n51, n17));
let n52 = (n32 - n46);
let n53 = (n52 * n52);
n47 = (n47 + select(f32(0), n53, n17));
let n54 = (n33 - n46);
let n55 = (n54 * n54);
n47 = (n47 + select(f32(0), n55, n17));
let n56 = subgroupAdd(n47);
if (n3 % 32u == 0u) { n35[n3 / 32u] = n56; }
workgroupBarrier();
let n57 = (n3 - n7) / 32u;
var n58 = n35[n57];
for (var n38 = 1u; n38 < 8u; n38++) { n58 = (n58 + n35[n57 + n38]); }
let n59 = n58;
workgroupBarrier();
let n60 = n45(n59, n13);
if (n7 == 0u && n9) {
n61[n10] = n44;
n62[n10] = n60;
}
}
// cc8a7b40cae6
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = bitcast<i32>(n3[8].x);
let n9 = n4 / n3[0].w;
let n10 = (n4 - n9 * n3[0].w) + n9 * n3[0].z;
let n11 = bitcast<i32>(n10);
let n12 = bitcast<i32>(n3[8].y);
let n13 = (n11 * n12);
let n14 = (n8 + n13);
let n15 = 0u;
let n16 = n17[n15];
let n18 = bitcast<i32>(n3[8].z);
let n19 = n20(n16, n18);
let n21 = bitcast<i32>(n3[8].w);
let n22 = (n19 * n21);
let n23 = (n14 + n22);
let n24 = n5 / n3[0].w;
let n25 = (n5 - n24 * n3[0].w) + n24 * n3[0].z;
let n26 = bitcast<i32>(n25);
let n27 = (n26 * n12);
let n28 = (n8 + n27);
let n29 = 0u;
let n30 = n17[n29];
let n31 = n20(select(0, n30, 4u * n1 + 1u <= n2), n18);
let n32 = (n31 * n21);
let n33 = (n28 + n32);
let n34 = n6 / n3[0].w;
let n35 = (n6 - n34 * n3[0].w) + n34 * n3[0].z;
let n36 = bitcast<i32>(n35);
let n37 = (n36 * n12);
let n38 = (n8 + n37);
let n39 = 0u;
let n40 = n17[n39];
let n41 = n20(select(0, n40, 4u * n1 + 2u <= n2), n18);
let n42 = (n41 * n21);
let n43 = (n38 + n42);
let n44 = n7 / n3[0].w;
let n45 = (n7 - n44 * n3[0].w) + n44 * n3[0].z;
let n46 = bitcast<i32>(n45);
let n47 = (n46 * n12);
let n48 = (n8 + n47);
let n49 = 0u;
let n50 = n17[n49];
let n51 = n20(select(0, n50, 4u * n1 + 3u <= n2), n18);
let n52 = (n51 * n21);
let n53 = (n48 + n52);
let n54 = n55((n56[n4 >> 1u] >> ((n4 & 1u) << 4u)) & 0xffffu);
let n57 = n54;
let n58 = (n4 % n3[4].y);
let n59 = n60[n58];
let n61 = (n57 * n59);
let n62 = n4 / n3[6].x;
let n63 = n62 / n3[5].z;
let n64 = (n4 - n62 * n3[6].x) + (n62 - n63 * n3[5].z) * n3[5].w + n63 * n3[5].y + n3[6].z;
let n65 = n55((n56[n64 >> 1u] >> ((n64 & 1u) << 4u)) & 0xffffu);
let n66 = n65;
let n67 = (n4 % n3[7].y);
let n68 = n69[n67];
let n70 = (n66 * n68);
let n71 = (n61 + n70);
let n72 = n71;
let n73 = n55((n56[n5 >> 1u] >> ((n5 & 1u) << 4u)) & 0xffffu);
let n74 = n73;
let n75 = (n5 % n3[4].y);
let n76 = n60[n75];
let n77 = (n74 * n76);
let n78 = n5 / n3[6].x;
let n79 = n78 / n3[5].z;
let n80 = (n5 - n78 * n3[6].x) + (n78 - n79 * n3[5].z) * n3[5].w + n79 * n3[5].y + n3[6].z;
let n81 = n55((n56[n80 >> 1u] >> ((n80 & 1u) << 4u)) & 0xffffu);
let n82 = n81;
let n83 = (n5 % n3[7].y);
let n84 = n69[n83];
let n85 = (n82 * n84);
let n86 = (n77 + n85);
let n87 = n86;
let n88 = n55((n56[n6 >> 1u] >> ((n6 & 1u) << 4u)) & 0xffffu);
let n89 = n88;
let n90 = (n6 % n3[4].y);
let n91 = n60[n90];
let n92 = (n89 * n91);
let n93 = n6 / n3[6].x;
let n94 = n93 / n3[5].z;
let n95 = (n6 - n93 * n3[6].x) + (n93 - n94 * n3[5].z) * n3[5].w + n94 * n3[5].y + n3[6].z;
let n96 = n55((n56[n95 >> 1u] >> ((n95 & 1u) << 4u)) & 0xffffu);
let n97 = n96;
let n98 = (n6 % n3[7].y);
let n99 = n69[n98];
let n100 = (n97 * n99);
let n101 = (n92 + n100);
let n102 = n101;
let n103 = n55((n56[n7 >> 1u] >> ((n7 & 1u) << 4u)) & 0xffffu);
let n104 = n103;
let n105 = (n7 % n3[4].y);
let n106 = n60[n105];
let n107 = (n104 * n106);
let n108 = n7 / n3[6].x;
let n109 = n108 / n3[5].z;
let n110 = (n7 - n108 * n3[6].x) + (n108 - n109 * n3[5].z) * n3[5].w + n109 * n3[5].y + n3[6].z;
let n111 = n55((n56[n110 >> 1u] >> ((n110 & 1u) << 4u)) & 0xffffu);
let n112 = n111;
let n113 = (n7 % n3[7].y);
let n114 = n69[n113];
let n115 = (n112 * n114);
let n116 = (n107 + n115);
let n117 = n116;
n118[n1] = vec4<i32>(n23, n33, n43, n53);
atomicAnd(&n119[u32(n23) >> 1u], ~(0xffffu << ((u32(n23) & 1u) << 4u))); atomicOr(&n119[u32(n23) >> 1u], n120(n72) << ((u32(n23) & 1u) << 4u));
if (4u * n1 + 1u <= n2) { atomicAnd(&n119[u32(n33) >> 1u], ~(0xffffu << ((u32(n33) & 1u) << 4u))); atomicOr(&n119[u32(n33) >> 1u], n120(n87) << ((u32(n33) & 1u) << 4u));
}
if (4u * n1 + 2u <= n2) { atomicAnd(&n119[u32(n43) >> 1u], ~(0xffffu << ((u32(n43) & 1u) << 4u))); atomicOr(&n119[u32(n43) >> 1u], n120(n102) << ((u32(n43) & 1u) << 4u));
}
if (4u * n1 + 3u <= n2) { atomicAnd(&n119[u32(n53) >> 1u], ~(0xffffu << ((u32(n53) & 1u) << 4u))); atomicOr(&n119[u32(n53) >> 1u], n120(n117) << ((u32(n53) & 1u) << 4u));
}
}
// cd232ad157e6
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = vec4<f32>(n17[n7]);
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n18 + n3.x);
let n23 = (n19 + n3.y);
let n24 = (n20 + n3.z);
let n25 = (n21 + n3.w);
n26[n7] = vec4<f16>(vec4<f32>(n22, n23, n24, n25));
}
// cd6ed98a1219
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 6>;
// cdcdef167e34
@group(0) @binding(6) var<uniform> n0: array<vec4<u32>, 1>;
// cdf076f3f160
@group(0) @binding(3) var<storage, read> n0: array<f16>;
// ce1738df6aff
@group(0) @binding(0) var<storage, read_write> n0: array<f16>;
// ce1e8f54e104
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 + n3[0].w;
let n9 = n10((n11[n8 >> 1u] >> ((n8 & 1u) << 4u)) & 0xffffu);
let n12 = n9;
let n13 = (n4 % n3[1].z);
let n14 = n15[n13];
let n16 = (n12 * n14);
let n17 = n4 / n3[3].y;
let n18 = n17 / n3[2].w;
let n19 = (n4 - n17 * n3[3].y) + (n17 - n18 * n3[2].w) * n3[3].x + n18 * n3[2].z + n3[3].w;
let n20 = n19 + n3[4].z;
let n21 = n10((n11[n20 >> 1u] >> ((n20 & 1u) << 4u)) & 0xffffu);
let n22 = n21;
let n23 = (n4 % n3[5].y);
let n24 = n25[n23];
let n26 = (n22 * n24);
let n27 = (n16 + n26);
let n28 = n27;
let n29 = n5 + n3[0].w;
let n30 = n10((n11[n29 >> 1u] >> ((n29 & 1u) << 4u)) & 0xffffu);
let n31 = n30;
let n32 = (n5 % n3[1].z);
let n33 = n15[n32];
let n34 = (n31 * n33);
let n35 = n5 / n3[3].y;
let n36 = n35 / n3[2].w;
let n37 = (n5 - n35 * n3[3].y) + (n35 - n36 * n3[2].w) * n3[3].x + n36 * n3[2].z + n3[3].w;
let n38 = n37 + n3[4].z;
let n39 = n10((n11[n38 >> 1u] >> ((n38 & 1u) << 4u)) & 0xffffu);
let n40 = n39;
let n41 = (n5 % n3[5].y);
let n42 = n25[n41];
let n43 = (n40 * n42);
let n44 = (n34 + n43);
let n45 = n44;
let n46 = n6 + n3[0].w;
let n47 = n10((n11[n46 >> 1u] >> ((n46 & 1u) << 4u)) & 0xffffu);
let n48 = n47;
let n49 = (n6 % n3[1].z);
let n50 = n15[n49];
let n51 = (n48 * n50);
let n52 = n6 / n3[3].y;
let n53 = n52 / n3[2].w;
let n54 = (n6 - n52 * n3[3].y) + (n52 - n53 * n3[2].w) * n3[3].x + n53 * n3[2].z + n3[3].w;
let n55 = n54 + n3[4].z;
let n56 = n10((n11[n55 >> 1u] >> ((n55 & 1u) << 4u)) & 0xffffu);
let n57 = n56;
let n58 = (n6 % n3[5].y);
let n59 = n25[n58];
let n60 = (n57 * n59);
let n61 = (n51 + n60);
let n62 = n61;
let n63 = n7 + n3[0].w;
let n64 = n10((n11[n63 >> 1u] >> ((n63 & 1u) << 4u)) & 0xffffu);
let n65 = n64;
let n66 = (n7 % n3[1].z);
let n67 = n15[n66];
let n68 = (n65 * n67);
let n69 = n7 / n3[3].y;
let n70 = n69 / n3[2].w;
let n71 = (n7 - n69 * n3[3].y) + (n69 - n70 * n3[2].w) * n3[3].x + n70 * n3[2].z + n3[3].w;
let n72 = n71 + n3[4].z;
let n73 = n10((n11[n72 >> 1u] >> ((n72 & 1u) << 4u)) & 0xffffu);
let n74 = n73;
let n75 = (n7 % n3[5].y);
let n76 = n25[n75];
let n77 = (n74 * n76);
let n78 = (n68 + n77);
let n79 = n78;
n80[2u * n1] = n81(n28) | (n81(n45) << 16u);
n80[2u * n1 + 1u] = n81(n62) | (n81(n79) << 16u);
}
// ce44dbd7c35c
var<private> n0: u32;
// ce517a0578c1
@group(0) @binding(0) var<storage, read> n0: array<f32>;
// ce876f32766f
var<workgroup> n0: array<vec4<f32>, n1 * n2>;
// ced51812ea49
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
var n14: f32 = f32(0);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n14 = (n14 + select(f32(0), n30, n17));
n14 = (n14 + select(f32(0), n31, n17));
n14 = (n14 + select(f32(0), n32, n17));
n14 = (n14 + select(f32(0), n33, n17));
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
n34[n3] = n14;
workgroupBarrier();
for (var n35 = 128u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
n34[n3] = n15;
workgroupBarrier();
for (var n35 = 128u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n37 = n34[n3 - n7];
workgroupBarrier();
let n38 = n39(n36, n13);
let n40 = n39(n37, n13);
var n41: f32 = f32(0);
let n42 = (n30 - n40);
let n43 = (n42 * n42);
n41 = (n41 + select(f32(0), n43, n17));
let n44 = (n31 - n40);
let n45 = (n44 * n44);
n41 = (n41 + select(f32(0), n45, n17));
let n46 = (n32 - n40);
let n47 = (n46 * n46);
n41 = (n41 + select(f32(0), n47, n17));
let n48 = (n33 - n40);
let n49 = (n48 * n48);
n41 = (n41 + select(f32(0), n49, n17));
n34[n3] = n41;
workgroupBarrier();
for (var n35 = 128u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n50 = n34[n3 - n7];
workgroupBarrier();
let n51 = n39(n50, n13);
if (n7 == 0u && n9) {
n52[n10] = n38;
n53[n10] = n51;
}
}
// cee56809c675
const n0: u32 = 32u;
// cf7cc657e5fe
@compute @workgroup_size(n0, n1)
fn n2(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) n3: vec3<u32>,
@builtin(local_invocation_index) n4: u32) {
let n5 = group.z * n6.n7 + group.y;
if (n5 >= n6.n8) { return; }
let n9 = (n6.n10 - 1u - group.x) * n11;
let n12 = n5 / n6.n13;
let n14 = n5 % n6.n13;
let n15 = n14 / n6.group;
let n16 = n17(n3.x, n3.y, n4, n9, n6.n18, vec2<u32>(n19(n12, n14), n20(n12, n14)), n12,
n21(n12), vec2<u32>(n22(n12, n15), n23(n12, n15)));
var n24: n25;
var n26: array<f32, n27 * 4u>;
var n28: array<f32, n27 * 4u>;
for (var n29 = 0u; n29 < n27 * 4u; n29++) {
let n30 = n9 + 4u * ((n29 / 4u) * n1 + n3.y) + n29 % 4u;
if (n30 < n6.n18) {
let n31 = n32(n5 * n6.n18 + n30);
n26[n29] = n31.x;
n28[n29] = n31.y;
}
}
let n33 = max(i32(n9) + n34(n12) - n6.n35, 0);
let n36 = min(i32(n9 + n11 - 1u) + n34(n12) + n6.n37, i32(n21(n12)) - 1);
for (var n38 = n33 / i32(n39) * i32(n39); n38 <= n36; n38 += i32(n39)) {
let n40 = u32(n38);
var n41 = n42(0u, n16, n40);
for (var n29 = 0u; n29 < n27 * 4u; n29++) {
let n30 = n9 + 4u * ((n29 / 4u) * n1 + n3.y) + n29 % 4u;
for (var n43 = 0u; n43 < 4u; n43++) {
let n44 = n45(n41[n29][n43], n12, n14, n30, n40 + 4u * n3.x + n43);
n41[n29][n43] = select(n46(n44 - n26[n29]), 0.0, n44 == n47);
}
}
let n48 = n42(1u, n16, n40);
for (var n29 = 0u; n29 < n27 * 4u; n29++) { n41[n29] *= n48[n29] - n28[n29]; }
n49(n16, n41);
n50(0u, n16, n40, &n24);
}
for (var n29 = 0u; n29 < n27 * 4u; n29++) {
let n30 = n9 + 4u * ((n29 / 4u) * n1 + n3.y) + n29 % 4u;
if (n30 >= n6.n18) { continue; }
for (var n43 = 0u; n43 < n51; n43++) {
let n52 = n43 * n0 + n3.x;
if (n52 < n53) { n54(n55(n12, n14, n30) * n53 + n52, n24[n29][n43] * n6.n56); }
}
}
}
// cf8e6024a77c
@group(0) @binding(1) var<uniform> n0: array<vec4<u32>, 2>;
// d1196d0110ff
fn n0(n1: vec2<f32>) -> u32 {
return n2(n1.x) | (n2(n1.y) << 16u);
}
// d166e86fa61c
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[2].x + n4) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// d22f625bfb6e
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].y;
let n9 = n8 / n3[0].w;
let n10 = (n4 - n8 * n3[1].y) + (n8 - n9 * n3[0].w) * n3[1].x + n9 * n3[0].z + n3[1].w;
let n11 = n10 / n3[2].w;
let n12 = n10 - n11 * n3[2].w - n3[3].x;
let n13 = n11 - n3[2].y;
let n14 = n12 < n3[3].y && n13 < n3[2].z;
let n15 = select(0u, n12 + n13 * n3[3].y, n14);
let n16 = n15 / n3[5].x;
let n17 = n16 / n3[4].z;
let n18 = n17 / n3[4].x;
let n19 = (n15 - n16 * n3[5].x) + (n16 - n17 * n3[4].z) * n3[4].w + (n17 - n18 * n3[4].x) * n3[4].y + n18 * n3[3].w;
let n20 = n21((n22[n19 >> 1u] >> ((n19 & 1u) << 4u)) & 0xffffu);
let n23 = n10 / n3[6].z;
let n24 = n10 - n23 * n3[6].z - n3[6].w;
let n25 = n23 - n3[6].x;
let n26 = n24 < n3[7].x && n25 < n3[6].y;
let n27 = select(0u, n24 + n25 * n3[7].x, n26);
let n28 = n27 / n3[8].w;
let n29 = n28 / n3[8].y;
let n30 = n29 / n3[7].w;
let n31 = (n27 - n28 * n3[8].w) + (n28 - n29 * n3[8].y) * n3[8].z + (n29 - n30 * n3[7].w) * n3[8].x + n30 * n3[7].z;
let n32 = n21((n33[n31 >> 1u] >> ((n31 & 1u) << 4u)) & 0xffffu);
let n34 = bitcast<f32>(n3[21].x);
let n35 = select(n34, n32, n26);
let n36 = select(n35, n20, n14);
let n37 = n36;
let n38 = (n10 % n3[10].w);
let n39 = n40[n38];
let n41 = (n37 * n39);
let n42 = n4 / n3[12].y;
let n43 = n4 - n42 * n3[12].y - n3[12].z;
let n44 = n42 - n3[11].w;
let n45 = n43 < n3[12].w && n44 < n3[12].x;
let n46 = select(0u, n43 + n44 * n3[12].w, n45);
let n47 = n46 / n3[14].z;
let n48 = n47 / n3[14].x;
let n49 = n48 / n3[13].z;
let n50 = (n46 - n47 * n3[14].z) + (n47 - n48 * n3[14].x) * n3[14].y + (n48 - n49 * n3[13].z) * n3[13].w + n49 * n3[13].y;
let n51 = n21((n22[n50 >> 1u] >> ((n50 & 1u) << 4u)) & 0xffffu);
let n52 = n4 / n3[16].x;
let n53 = n4 - n52 * n3[16].x - n3[16].y;
let n54 = n52 - n3[15].z;
let n55 = n53 < n3[16].z && n54 < n3[15].w;
let n56 = select(0u, n53 + n54 * n3[16].z, n55);
let n57 = n56 / n3[18].y;
let n58 = n57 / n3[17].w;
let n59 = n58 / n3[17].y;
let n60 = (n56 - n57 * n3[18].y) + (n57 - n58 * n3[17].w) * n3[18].x + (n58 - n59 * n3[17].y) * n3[17].z + n59 * n3[17].x;
let n61 = n21((n33[n60 >> 1u] >> ((n60 & 1u) << 4u)) & 0xffffu);
let n62 = select(n34, n61, n55);
let n63 = select(n62, n51, n45);
let n64 = n63;
let n65 = (n4 % n3[20].y);
let n66 = n67[n65];
let n68 = (n64 * n66);
let n69 = (n41 + n68);
let n70 = n69;
let n71 = n5 / n3[1].y;
let n72 = n71 / n3[0].w;
let n73 = (n5 - n71 * n3[1].y) + (n71 - n72 * n3[0].w) * n3[1].x + n72 * n3[0].z + n3[1].w;
let n74 = n73 / n3[2].w;
let n75 = n73 - n74 * n3[2].w - n3[3].x;
let n76 = n74 - n3[2].y;
let n77 = n75 < n3[3].y && n76 < n3[2].z;
let n78 = select(0u, n75 + n76 * n3[3].y, n77);
let n79 = n78 / n3[5].x;
let n80 = n79 / n3[4].z;
let n81 = n80 / n3[4].x;
let n82 = (n78 - n79 * n3[5].x) + (n79 - n80 * n3[4].z) * n3[4].w + (n80 - n81 * n3[4].x) * n3[4].y + n81 * n3[3].w;
let n83 = n21((n22[n82 >> 1u] >> ((n82 & 1u) << 4u)) & 0xffffu);
let n84 = n73 / n3[6].z;
let n85 = n73 - n84 * n3[6].z - n3[6].w;
let n86 = n84 - n3[6].x;
let n87 = n85 < n3[7].x && n86 < n3[6].y;
let n88 = select(0u, n85 + n86 * n3[7].x, n87);
let n89 = n88 / n3[8].w;
let n90 = n89 / n3[8].y;
let n91 = n90 / n3[7].w;
let n92 = (n88 - n89 * n3[8].w) + (n89 - n90 * n3[8].y) * n3[8].z + (n90 - n91 * n3[7].w) * n3[8].x + n91 * n3[7].z;
let n93 = n21((n33[n92 >> 1u] >> ((n92 & 1u) << 4u)) & 0xffffu);
let n94 = select(n34, n93, n87);
let n95 = select(n94, n83, n77);
let n96 = n95;
let n97 = (n73 % n3[10].w);
let n98 = n40[n97];
let n99 = (n96 * n98);
let n100 = n5 / n3[12].y;
let n101 = n5 - n100 * n3[12].y - n3[12].z;
let n102 = n100 - n3[11].w;
let n103 = n101 < n3[12].w && n102 < n3[12].x;
let n104 = select(0u, n101 + n102 * n3[12].w, n103);
let n105 = n104 / n3[14].z;
let n106 = n105 / n3[14].x;
let n107 = n106 / n3[13].z;
let n108 = (n104 - n105 * n3[14].z) + (n105 - n106 * n3[14].x) * n3[14].y + (n106 - n107 * n3[13].z) * n3[13].w + n107 * n3[13].y;
let n109 = n21((n22[n108 >> 1u] >> ((n108 & 1u) << 4u)) & 0xffffu);
let n110 = n5 / n3[16].x;
let n111 = n5 - n110 * n3[16].x - n3[16].y;
let n112 = n110 - n3[15].z;
let n113 = n111 < n3[16].z && n112 < n3[15].w;
let n114 = select(0u, n111 + n112 * n3[16].z, n113);
let n115 = n114 / n3[18].y;
let n116 = n115 / n3[17].w;
let n117 = n116 / n3[17].y;
let n118 = (n114 - n115 * n3[18].y) + (n115 - n116 * n3[17].w) * n3[18].x + (n116 - n117 * n3[17].y) * n3[17].z + n117 * n3[17].x;
let n119 = n21((n33[n118 >> 1u] >> ((n118 & 1u) << 4u)) & 0xffffu);
let n120 = select(n34, n119, n113);
let n121 = select(n120, n109, n103);
let n122 = n121;
let n123 = (n5 % n3[20].y);
let n124 = n67[n123];
let n125 = (n122 * n124);
let n126 = (n99 + n125);
let n127 = n126;
let n128 = n6 / n3[1].y;
let n129 = n128 / n3[0].w;
let n130 = (n6 - n128 * n3[1].y) + (n128 - n129 * n3[0].w) * n3[1].x + n129 * n3[0].z + n3[1].w;
let n131 = n130 / n3[2].w;
let n132 = n130 - n131 * n3[2].w - n3[3].x;
let n133 = n131 - n3[2].y;
let n134 = n132 < n3[3].y && n133 < n3[2].z;
let n135 = select(0u, n132 + n133 * n3[3].y, n134);
let n136 = n135 / n3[5].x;
let n137 = n136 / n3[4].z;
let n138 = n137 / n3[4].x;
let n139 = (n135 - n136 * n3[5].x) + (n136 - n137 * n3[4].z) * n3[4].w + (n137 - n138 * n3[4].x) * n3[4].y + n138 * n3[3].w;
let n140 = n21((n22[n139 >> 1u] >> ((n139 & 1u) << 4u)) & 0xffffu);
let n141 = n130 / n3[6].z;
let n142 = n130 - n141 * n3[6].z - n3[6].w;
let n143 = n141 - n3[6].x;
let n144 = n142 < n3[7].x && n143 < n3[6].y;
let n145 = select(0u, n142 + n143 * n3[7].x, n144);
let n146 = n145 / n3[8].w;
let n147 = n146 / n3[8].y;
let n148 = n147 / n3[7].w;
let n149 = (n145 - n146 * n3[8].w) + (n146 - n147 * n3[8].y) * n3[8].z + (n147 - n148 * n3[7].w) * n3[8].x + n148 * n3[7].z;
let n150 = n21((n33[n149 >> 1u] >> ((n149 & 1u) << 4u)) & 0xffffu);
let n151 = select(n34, n150, n144);
let n152 = select(n151, n140, n134);
let n153 = n152;
let n154 = (n130 % n3[10].w);
let n155 = n40[n154];
let n156 = (n153 * n155);
let n157 = n6 / n3[12].y;
let n158 = n6 - n157 * n3[12].y - n3[12].z;
let n159 = n157 - n3[11].w;
let n160 = n158 < n3[12].w && n159 < n3[12].x;
let n161 = select(0u, n158 + n159 * n3[12].w, n160);
let n162 = n161 / n3[14].z;
let n163 = n162 / n3[14].x;
let n164 = n163 / n3[13].z;
let n165 = (n161 - n162 * n3[14].z) + (n162 - n163 * n3[14].x) * n3[14].y + (n163 - n164 * n3[13].z) * n3[13].w + n164 * n3[13].y;
let n166 = n21((n22[n165 >> 1u] >> ((n165 & 1u) << 4u)) & 0xffffu);
let n167 = n6 / n3[16].x;
let n168 = n6 - n167 * n3[16].x - n3[16].y;
let n169 = n167 - n3[15].z;
let n170 = n168 < n3[16].z && n169 < n3[15].w;
let n171 = select(0u, n168 + n169 * n3[16].z, n170);
let n172 = n171 / n3[18].y;
let n173 = n172 / n3[17].w;
let n174 = n173 / n3[17].y;
let n175 = (n171 - n172 * n3[18].y) + (n172 - n173 * n3[17].w) * n3[18].x + (n173 - n174 * n3[17].y) * n3[17].z + n174 * n3[17].x;
let n176 = n21((n33[n175 >> 1u] >> ((n175 & 1u) << 4u)) & 0xffffu);
let n177 = select(n34, n176, n170);
let n178 = select(n177, n166, n160);
let n179 = n178;
let n180 = (n6 % n3[20].y);
let n181 = n67[n180];
let n182 = (n179 * n181);
let n183 = (n156 + n182);
let n184 = n183;
let n185 = n7 / n3[1].y;
let n186 = n185 / n3[0].w;
let n187 = (n7 - n185 * n3[1].y) + (n185 - n186 * n3[0].w) * n3[1].x + n186 * n3[0].z + n3[1].w;
let n188 = n187 / n3[2].w;
let n189 = n187 - n188 * n3[2].w - n3[3].x;
let n190 = n188 - n3[2].y;
let n191 = n189 < n3[3].y && n190 < n3[2].z;
let n192 = select(0u, n189 + n190 * n3[3].y, n191);
let n193 = n192 / n3[5].x;
let n194 = n193 / n3[4].z;
let n195 = n194 / n3[4].x;
let n196 = (n192 - n193 * n3[5].x) + (n193 - n194 * n3[4].z) * n3[4].w + (n194 - n195 * n3[4].x) * n3[4].y + n195 * n3[3].w;
let n197 = n21((n22[n196 >> 1u] >> ((n196 & 1u) << 4u)) & 0xffffu);
let n198 = n187 / n3[6].z;
let n199 = n187 - n198 * n3[6].z - n3[6].w;
let n200 = n198 - n3[6].x;
let n201 = n199 < n3[7].x && n200 < n3[6].y;
let n202 = select(0u, n199 + n200 * n3[7].x, n201);
let n203 = n202 / n3[8].w;
let n204 = n203 / n3[8].y;
let n205 = n204 / n3[7].w;
let n206 = (n202 - n203 * n3[8].w) + (n203 - n204 * n3[8].y) * n3[8].z + (n204 - n205 * n3[7].w) * n3[8].x + n205 * n3[7].z;
let n207 = n21((n33[n206 >> 1u] >> ((n206 & 1u) << 4u)) & 0xffffu);
let n208 = select(n34, n207, n201);
let n209 = select(n208, n197, n191);
let n210 = n209;
let n211 = (n187 % n3[10].w);
let n212 = n40[n211];
let n213 = (n210 * n212);
let n214 = n7 / n3[12].y;
let n215 = n7 - n214 * n3[12].y - n3[12].z;
let n216 = n214 - n3[11].w;
let n217 = n215 < n3[12].w && n216 < n3[12].x;
let n218 = select(0u, n215 + n216 * n3[12].w, n217);
let n219 = n218 / n3[14].z;
let n220 = n219 / n3[14].x;
let n221 = n220 / n3[13].z;
let n222 = (n218 - n219 * n3[14].z) + (n219 - n220 * n3[14].x) * n3[14].y + (n220 - n221 * n3[13].z) * n3[13].w + n221 * n3[13].y;
let n223 = n21((n22[n222 >> 1u] >> ((n222 & 1u) << 4u)) & 0xffffu);
let n224 = n7 / n3[16].x;
let n225 = n7 - n224 * n3[16].x - n3[16].y;
let n226 = n224 - n3[15].z;
let n227 = n225 < n3[16].z && n226 < n3[15].w;
let n228 = select(0u, n225 + n226 * n3[16].z, n227);
let n229 = n228 / n3[18].y;
let n230 = n229 / n3[17].w;
let n231 = n230 / n3[17].y;
let n232 = (n228 - n229 * n3[18].y) + (n229 - n230 * n3[17].w) * n3[18].x + (n230 - n231 * n3[17].y) * n3[17].z + n231 * n3[17].x;
let n233 = n21((n33[n232 >> 1u] >> ((n232 & 1u) << 4u)) & 0xffffu);
let n234 = select(n34, n233, n227);
let n235 = select(n234, n223, n217);
let n236 = n235;
let n237 = (n7 % n3[20].y);
let n238 = n67[n237];
let n239 = (n236 * n238);
let n240 = (n213 + n239);
let n241 = n240;
n242[2u * n1] = n243(n70) | (n243(n127) << 16u);
n242[2u * n1 + 1u] = n243(n184) | (n243(n241) << 16u);
}
// d24afff7ee7e
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 256u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n25[n15];
let n26 = n24.x;
let n27 = n24.y;
let n28 = n24.z;
let n29 = n24.w;
n13 = (n13 + n26);
n13 = (n13 + n27);
n13 = (n13 + n28);
n13 = (n13 + n29);
}
let n30 = subgroupAdd(n13);
if (n3 % 32u == 0u) { n31[n3 / 32u] = n30; }
workgroupBarrier();
let n32 = (n3 - n7) / 32u;
var n33 = n31[n32];
for (var n34 = 1u; n34 < 8u; n34++) { n33 = (n33 + n31[n32 + n34]); }
let n35 = n33;
workgroupBarrier();
if (n7 == 0u && n9) {
n36[n10] = n35;
}
}
// d27e45f6e2cd
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
let n7 = u32((f32(n4) + 0.5) * bitcast<f32>(n8[6].y));
let n9 = n4 - n7 * n8[6].x;
let n10 = u32((f32(n7) + 0.5) * bitcast<f32>(n8[5].x));
let n11 = n7 - n10 * n8[4].w;
let n12 = n1.n13 + n9 + n11 * n8[5].y + n10 * n8[4].x;
let n14 = n8[10].x + n11;
let n15 = n8[10].z + n9;
let n16 = n3 + 0u;
let n17 = u32((f32(n16) + 0.5) * bitcast<f32>(n8[8].w));
let n18 = n16 - n17 * n8[8].z;
let n19 = n12 + n18 + n17 * n8[7].w;
let n20 = n14 + n17;
let n21 = n15 + n18;
if (n16 < n8[0].z && n4 < n8[0].w && n20 < n8[10].y && n21 < n8[10].w) { n6.x = n22[n19]; }
let n23 = n3 + 1u;
let n24 = u32((f32(n23) + 0.5) * bitcast<f32>(n8[8].w));
let n25 = n23 - n24 * n8[8].z;
let n26 = n12 + n25 + n24 * n8[7].w;
let n27 = n14 + n24;
let n28 = n15 + n25;
if (n23 < n8[0].z && n4 < n8[0].w && n27 < n8[10].y && n28 < n8[10].w) { n6.y = n22[n26]; }
let n29 = n3 + 2u;
let n30 = u32((f32(n29) + 0.5) * bitcast<f32>(n8[8].w));
let n31 = n29 - n30 * n8[8].z;
let n32 = n12 + n31 + n30 * n8[7].w;
let n33 = n14 + n30;
let n34 = n15 + n31;
if (n29 < n8[0].z && n4 < n8[0].w && n33 < n8[10].y && n34 < n8[10].w) { n6.z = n22[n32]; }
let n35 = n3 + 3u;
let n36 = u32((f32(n35) + 0.5) * bitcast<f32>(n8[8].w));
let n37 = n35 - n36 * n8[8].z;
let n38 = n12 + n37 + n36 * n8[7].w;
let n39 = n14 + n36;
let n40 = n15 + n37;
if (n35 < n8[0].z && n4 < n8[0].w && n39 < n8[10].y && n40 < n8[10].w) { n6.w = n22[n38]; }
return n6;
}
// d3e5d9ed2fba
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = n30;
let n35 = (n34 * n34);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n32;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n33;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n7 + 32u;
let n43 = n42 < n11;
let n44 = min(n42, n11 - 1u);
let n45 = n12 + n44;
let n46 = 4u * n45 + 0u;
let n47 = 4u * n44 + 0u;
let n48 = 4u * n45 + 1u;
let n49 = 4u * n44 + 1u;
let n50 = 4u * n45 + 2u;
let n51 = 4u * n44 + 2u;
let n52 = 4u * n45 + 3u;
let n53 = 4u * n44 + 3u;
let n54 = vec4<f32>(n29[n45]);
let n55 = n54.x;
let n56 = n54.y;
let n57 = n54.z;
let n58 = n54.w;
let n59 = n55;
let n60 = (n59 * n59);
n15 = (n15 + select(f32(0), n60, n43));
let n61 = n56;
let n62 = (n61 * n61);
n15 = (n15 + select(f32(0), n62, n43));
let n63 = n57;
let n64 = (n63 * n63);
n15 = (n15 + select(f32(0), n64, n43));
let n65 = n58;
let n66 = (n65 * n65);
n15 = (n15 + select(f32(0), n66, n43));
let n67 = n7 + 64u;
let n68 = n67 < n11;
let n69 = min(n67, n11 - 1u);
let n70 = n12 + n69;
let n71 = 4u * n70 + 0u;
let n72 = 4u * n69 + 0u;
let n73 = 4u * n70 + 1u;
let n74 = 4u * n69 + 1u;
let n75 = 4u * n70 + 2u;
let n76 = 4u * n69 + 2u;
let n77 = 4u * n70 + 3u;
let n78 = 4u * n69 + 3u;
let n79 = vec4<f32>(n29[n70]);
let n80 = n79.x;
let n81 = n79.y;
let n82 = n79.z;
let n83 = n79.w;
let n84 = n80;
let n85 = (n84 * n84);
n15 = (n15 + select(f32(0), n85, n68));
let n86 = n81;
let n87 = (n86 * n86);
n15 = (n15 + select(f32(0), n87, n68));
let n88 = n82;
let n89 = (n88 * n88);
n15 = (n15 + select(f32(0), n89, n68));
let n90 = n83;
let n91 = (n90 * n90);
n15 = (n15 + select(f32(0), n91, n68));
let n92 = n7 + 96u;
let n93 = n92 < n11;
let n94 = min(n92, n11 - 1u);
let n95 = n12 + n94;
let n96 = 4u * n95 + 0u;
let n97 = 4u * n94 + 0u;
let n98 = 4u * n95 + 1u;
let n99 = 4u * n94 + 1u;
let n100 = 4u * n95 + 2u;
let n101 = 4u * n94 + 2u;
let n102 = 4u * n95 + 3u;
let n103 = 4u * n94 + 3u;
let n104 = vec4<f32>(n29[n95]);
let n105 = n104.x;
let n106 = n104.y;
let n107 = n104.z;
let n108 = n104.w;
let n109 = n105;
let n110 = (n109 * n109);
n15 = (n15 + select(f32(0), n110, n93));
let n111 = n106;
let n112 = (n111 * n111);
n15 = (n15 + select(f32(0), n112, n93));
let n113 = n107;
let n114 = (n113 * n113);
n15 = (n15 + select(f32(0), n114, n93));
let n115 = n108;
let n116 = (n115 * n115);
n15 = (n15 + select(f32(0), n116, n93));
let n117 = n7 + 128u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = vec4<f32>(n29[n120]);
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
let n134 = n130;
let n135 = (n134 * n134);
n15 = (n15 + select(f32(0), n135, n118));
let n136 = n131;
let n137 = (n136 * n136);
n15 = (n15 + select(f32(0), n137, n118));
let n138 = n132;
let n139 = (n138 * n138);
n15 = (n15 + select(f32(0), n139, n118));
let n140 = n133;
let n141 = (n140 * n140);
n15 = (n15 + select(f32(0), n141, n118));
let n142 = n7 + 160u;
let n143 = n142 < n11;
let n144 = min(n142, n11 - 1u);
let n145 = n12 + n144;
let n146 = 4u * n145 + 0u;
let n147 = 4u * n144 + 0u;
let n148 = 4u * n145 + 1u;
let n149 = 4u * n144 + 1u;
let n150 = 4u * n145 + 2u;
let n151 = 4u * n144 + 2u;
let n152 = 4u * n145 + 3u;
let n153 = 4u * n144 + 3u;
let n154 = vec4<f32>(n29[n145]);
let n155 = n154.x;
let n156 = n154.y;
let n157 = n154.z;
let n158 = n154.w;
let n159 = n155;
let n160 = (n159 * n159);
n15 = (n15 + select(f32(0), n160, n143));
let n161 = n156;
let n162 = (n161 * n161);
n15 = (n15 + select(f32(0), n162, n143));
let n163 = n157;
let n164 = (n163 * n163);
n15 = (n15 + select(f32(0), n164, n143));
let n165 = n158;
let n166 = (n165 * n165);
n15 = (n15 + select(f32(0), n166, n143));
let n167 = n7 + 192u;
let n168 = n167 < n11;
let n169 = min(n167, n11 - 1u);
let n170 = n12 + n169;
let n171 = 4u * n170 + 0u;
let n172 = 4u * n169 + 0u;
let n173 = 4u * n170 + 1u;
let n174 = 4u * n169 + 1u;
let n175 = 4u * n170 + 2u;
let n176 = 4u * n169 + 2u;
let n177 = 4u * n170 + 3u;
let n178 = 4u * n169 + 3u;
let n179 = vec4<f32>(n29[n170]);
let n180 = n179.x;
let n181 = n179.y;
let n182 = n179.z;
let n183 = n179.w;
let n184 = n180;
let n185 = (n184 * n184);
n15 = (n15 + select(f32(0), n185, n168));
let n186 = n181;
let n187 = (n186 * n186);
n15 = (n15 + select(f32(0), n187, n168));
let n188 = n182;
let n189 = (n188 * n188);
n15 = (n15 + select(f32(0), n189, n168));
let n190 = n183;
let n191 = (n190 * n190);
n15 = (n15 + select(f32(0), n191, n168));
let n192 = n7 + 224u;
let n193 = n192 < n11;
let n194 = min(n192, n11 - 1u);
let n195 = n12 + n194;
let n196 = 4u * n195 + 0u;
let n197 = 4u * n194 + 0u;
let n198 = 4u * n195 + 1u;
let n199 = 4u * n194 + 1u;
let n200 = 4u * n195 + 2u;
let n201 = 4u * n194 + 2u;
let n202 = 4u * n195 + 3u;
let n203 = 4u * n194 + 3u;
let n204 = vec4<f32>(n29[n195]);
let n205 = n204.x;
let n206 = n204.y;
let n207 = n204.z;
let n208 = n204.w;
let n209 = n205;
let n210 = (n209 * n209);
n15 = (n15 + select(f32(0), n210, n193));
let n211 = n206;
let n212 = (n211 * n211);
n15 = (n15 + select(f32(0), n212, n193));
let n213 = n207;
let n214 = (n213 * n213);
n15 = (n15 + select(f32(0), n214, n193));
let n215 = n208;
let n216 = (n215 * n215);
n15 = (n15 + select(f32(0), n216, n193));
let n217 = subgroupAdd(n15);
let n218 = n217;
let n219 = n220(n218, n13);
let n221 = (n219 + n14);
let n222 = inverseSqrt(n221);
let n223 = (n34 * n222);
let n224 = f32(n225[n21]);
let n226 = n224;
let n227 = (n223 * n226);
let n228 = n227;
let n229 = (n36 * n222);
let n230 = f32(n225[n23]);
let n231 = n230;
let n232 = (n229 * n231);
let n233 = n232;
let n234 = (n38 * n222);
let n235 = f32(n225[n25]);
let n236 = n235;
let n237 = (n234 * n236);
let n238 = n237;
let n239 = (n40 * n222);
let n240 = f32(n225[n27]);
let n241 = n240;
let n242 = (n239 * n241);
let n243 = n242;
if (n9 && n17) {
n244[n19] = vec4<f16>(vec4<f32>(n228, n233, n238, n243));
}
let n245 = (n59 * n222);
let n246 = f32(n225[n47]);
let n247 = n246;
let n248 = (n245 * n247);
let n249 = n248;
let n250 = (n61 * n222);
let n251 = f32(n225[n49]);
let n252 = n251;
let n253 = (n250 * n252);
let n254 = n253;
let n255 = (n63 * n222);
let n256 = f32(n225[n51]);
let n257 = n256;
let n258 = (n255 * n257);
let n259 = n258;
let n260 = (n65 * n222);
let n261 = f32(n225[n53]);
let n262 = n261;
let n263 = (n260 * n262);
let n264 = n263;
if (n9 && n43) {
n244[n45] = vec4<f16>(vec4<f32>(n249, n254, n259, n264));
}
let n265 = (n84 * n222);
let n266 = f32(n225[n72]);
let n267 = n266;
let n268 = (n265 * n267);
let n269 = n268;
let n270 = (n86 * n222);
let n271 = f32(n225[n74]);
let n272 = n271;
let n273 = (n270 * n272);
let n274 = n273;
let n275 = (n88 * n222);
let n276 = f32(n225[n76]);
let n277 = n276;
let n278 = (n275 * n277);
let n279 = n278;
let n280 = (n90 * n222);
let n281 = f32(n225[n78]);
let n282 = n281;
let n283 = (n280 * n282);
let n284 = n283;
if (n9 && n68) {
n244[n70] = vec4<f16>(vec4<f32>(n269, n274, n279, n284));
}
let n285 = (n109 * n222);
let n286 = f32(n225[n97]);
let n287 = n286;
let n288 = (n285 * n287);
let n289 = n288;
let n290 = (n111 * n222);
let n291 = f32(n225[n99]);
let n292 = n291;
let n293 = (n290 * n292);
let n294 = n293;
let n295 = (n113 * n222);
let n296 = f32(n225[n101]);
let n297 = n296;
let n298 = (n295 * n297);
let n299 = n298;
let n300 = (n115 * n222);
let n301 = f32(n225[n103]);
let n302 = n301;
let n303 = (n300 * n302);
let n304 = n303;
if (n9 && n93) {
n244[n95] = vec4<f16>(vec4<f32>(n289, n294, n299, n304));
}
let n305 = (n134 * n222);
let n306 = f32(n225[n122]);
let n307 = n306;
let n308 = (n305 * n307);
let n309 = n308;
let n310 = (n136 * n222);
let n311 = f32(n225[n124]);
let n312 = n311;
let n313 = (n310 * n312);
let n314 = n313;
let n315 = (n138 * n222);
let n316 = f32(n225[n126]);
let n317 = n316;
let n318 = (n315 * n317);
let n319 = n318;
let n320 = (n140 * n222);
let n321 = f32(n225[n128]);
let n322 = n321;
let n323 = (n320 * n322);
let n324 = n323;
if (n9 && n118) {
n244[n120] = vec4<f16>(vec4<f32>(n309, n314, n319, n324));
}
let n325 = (n159 * n222);
let n326 = f32(n225[n147]);
let n327 = n326;
let n328 = (n325 * n327);
let n329 = n328;
let n330 = (n161 * n222);
let n331 = f32(n225[n149]);
let n332 = n331;
let n333 = (n330 * n332);
let n334 = n333;
let n335 = (n163 * n222);
let n336 = f32(n225[n151]);
let n337 = n336;
let n338 = (n335 * n337);
let n339 = n338;
let n340 = (n165 * n222);
let n341 = f32(n225[n153]);
let n342 = n341;
let n343 = (n340 * n342);
let n344 = n343;
if (n9 && n143) {
n244[n145] = vec4<f16>(vec4<f32>(n329, n334, n339, n344));
}
let n345 = (n184 * n222);
let n346 = f32(n225[n172]);
let n347 = n346;
let n348 = (n345 * n347);
let n349 = n348;
let n350 = (n186 * n222);
let n351 = f32(n225[n174]);
let n352 = n351;
let n353 = (n350 * n352);
let n354 = n353;
let n355 = (n188 * n222);
let n356 = f32(n225[n176]);
let n357 = n356;
let n358 = (n355 * n357);
let n359 = n358;
let n360 = (n190 * n222);
let n361 = f32(n225[n178]);
let n362 = n361;
let n363 = (n360 * n362);
let n364 = n363;
if (n9 && n168) {
n244[n170] = vec4<f16>(vec4<f32>(n349, n354, n359, n364));
}
let n365 = (n209 * n222);
let n366 = f32(n225[n197]);
let n367 = n366;
let n368 = (n365 * n367);
let n369 = n368;
let n370 = (n211 * n222);
let n371 = f32(n225[n199]);
let n372 = n371;
let n373 = (n370 * n372);
let n374 = n373;
let n375 = (n213 * n222);
let n376 = f32(n225[n201]);
let n377 = n376;
let n378 = (n375 * n377);
let n379 = n378;
let n380 = (n215 * n222);
let n381 = f32(n225[n203]);
let n382 = n381;
let n383 = (n380 * n382);
let n384 = n383;
if (n9 && n193) {
n244[n195] = vec4<f16>(vec4<f32>(n369, n374, n379, n384));
}
}
// d41188a35a6d
fn n0(x: n1) -> u32 {
return select(countLeadingZeros(x.y), 32u + countLeadingZeros(x.x), x.y == 0u);
}
// d482d05caf79
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 / n5[1].x;
let n17 = (n10 - n16 * n5[1].x) + n16 * n5[0].w + n14 * n5[1].w;
let n18 = f32(n19[n17]);
let n20 = n18;
let n21 = f32(n22[n17]);
let n23 = f32(n24[n17]);
let n25 = (n21 + n23);
let n26 = n25;
let n27 = n17 / n5[2].w;
let n28 = n27;
let n29 = n30[n28];
let n31 = (n26 * n29);
let n32 = (n20 * n31);
n13 = (n13 + n32);
}
let n33 = n13;
if (n7 == 0u && n9) {
n34[n10] = n33;
}
}
// d522df5995fc
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[1].z;
}
switch n6 {
case 0u: {
{ var n3 = z;
n2.n7 = n5[2].y;
}
}
default: {
{ var n3 = z;
n2.n7 = n5[5].x;
}
}
}
return n2;
}
// d526c9736c37
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = vec4<f32>(n35[n19]);
let n36 = n34.x;
let n37 = n34.y;
let n38 = n34.z;
let n39 = n34.w;
let n40 = (n30 + n36);
let n41 = n40;
let n42 = (n41 * n41);
n15 = (n15 + select(f32(0), n42, n17));
let n43 = (n31 + n37);
let n44 = n43;
let n45 = (n44 * n44);
n15 = (n15 + select(f32(0), n45, n17));
let n46 = (n32 + n38);
let n47 = n46;
let n48 = (n47 * n47);
n15 = (n15 + select(f32(0), n48, n17));
let n49 = (n33 + n39);
let n50 = n49;
let n51 = (n50 * n50);
n15 = (n15 + select(f32(0), n51, n17));
let n52 = n7 + 32u;
let n53 = n52 < n11;
let n54 = min(n52, n11 - 1u);
let n55 = n12 + n54;
let n56 = 4u * n55 + 0u;
let n57 = 4u * n54 + 0u;
let n58 = 4u * n55 + 1u;
let n59 = 4u * n54 + 1u;
let n60 = 4u * n55 + 2u;
let n61 = 4u * n54 + 2u;
let n62 = 4u * n55 + 3u;
let n63 = 4u * n54 + 3u;
let n64 = vec4<f32>(n29[n55]);
let n65 = n64.x;
let n66 = n64.y;
let n67 = n64.z;
let n68 = n64.w;
let n69 = vec4<f32>(n35[n55]);
let n70 = n69.x;
let n71 = n69.y;
let n72 = n69.z;
let n73 = n69.w;
let n74 = (n65 + n70);
let n75 = n74;
let n76 = (n75 * n75);
n15 = (n15 + select(f32(0), n76, n53));
let n77 = (n66 + n71);
let n78 = n77;
let n79 = (n78 * n78);
n15 = (n15 + select(f32(0), n79, n53));
let n80 = (n67 + n72);
let n81 = n80;
let n82 = (n81 * n81);
n15 = (n15 + select(f32(0), n82, n53));
let n83 = (n68 + n73);
let n84 = n83;
let n85 = (n84 * n84);
n15 = (n15 + select(f32(0), n85, n53));
let n86 = n7 + 64u;
let n87 = n86 < n11;
let n88 = min(n86, n11 - 1u);
let n89 = n12 + n88;
let n90 = 4u * n89 + 0u;
let n91 = 4u * n88 + 0u;
let n92 = 4u * n89 + 1u;
let n93 = 4u * n88 + 1u;
let n94 = 4u * n89 + 2u;
let n95 = 4u * n88 + 2u;
let n96 = 4u * n89 + 3u;
let n97 = 4u * n88 + 3u;
let n98 = vec4<f32>(n29[n89]);
let n99 = n98.x;
let n100 = n98.y;
let n101 = n98.z;
let n102 = n98.w;
let n103 = vec4<f32>(n35[n89]);
let n104 = n103.x;
let n105 = n103.y;
let n106 = n103.z;
let n107 = n103.w;
let n108 = (n99 + n104);
let n109 = n108;
let n110 = (n109 * n109);
n15 = (n15 + select(f32(0), n110, n87));
let n111 = (n100 + n105);
let n112 = n111;
let n113 = (n112 * n112);
n15 = (n15 + select(f32(0), n113, n87));
let n114 = (n101 + n106);
let n115 = n114;
let n116 = (n115 * n115);
n15 = (n15 + select(f32(0), n116, n87));
let n117 = (n102 + n107);
let n118 = n117;
let n119 = (n118 * n118);
n15 = (n15 + select(f32(0), n119, n87));
let n120 = n7 + 96u;
let n121 = n120 < n11;
let n122 = min(n120, n11 - 1u);
let n123 = n12 + n122;
let n124 = 4u * n123 + 0u;
let n125 = 4u * n122 + 0u;
let n126 = 4u * n123 + 1u;
let n127 = 4u * n122 + 1u;
let n128 = 4u * n123 + 2u;
let n129 = 4u * n122 + 2u;
let n130 = 4u * n123 + 3u;
let n131 = 4u * n122 + 3u;
let n132 = vec4<f32>(n29[n123]);
let n133 = n132.x;
let n134 = n132.y;
let n135 = n132.z;
let n136 = n132.w;
let n137 = vec4<f32>(n35[n123]);
let n138 = n137.x;
let n139 = n137.y;
let n140 = n137.z;
let n141 = n137.w;
let n142 = (n133 + n138);
let n143 = n142;
let n144 = (n143 * n143);
n15 = (n15 + select(f32(0), n144, n121));
let n145 = (n134 + n139);
let n146 = n145;
let n147 = (n146 * n146);
n15 = (n15 + select(f32(0), n147, n121));
let n148 = (n135 + n140);
let n149 = n148;
let n150 = (n149 * n149);
n15 = (n15 + select(f32(0), n150, n121));
let n151 = (n136 + n141);
let n152 = n151;
let n153 = (n152 * n152);
n15 = (n15 + select(f32(0), n153, n121));
let n154 = n7 + 128u;
let n155 = n154 < n11;
let n156 = min(n154, n11 - 1u);
let n157 = n12 + n156;
let n158 = 4u * n157 + 0u;
let n159 = 4u * n156 + 0u;
let n160 = 4u * n157 + 1u;
let n161 = 4u * n156 + 1u;
let n162 = 4u * n157 + 2u;
let n163 = 4u * n156 + 2u;
let n164 = 4u * n157 + 3u;
let n165 = 4u * n156 + 3u;
let n166 = vec4<f32>(n29[n157]);
let n167 = n166.x;
let n168 = n166.y;
let n169 = n166.z;
let n170 = n166.w;
let n171 = vec4<f32>(n35[n157]);
let n172 = n171.x;
let n173 = n171.y;
let n174 = n171.z;
let n175 = n171.w;
let n176 = (n167 + n172);
let n177 = n176;
let n178 = (n177 * n177);
n15 = (n15 + select(f32(0), n178, n155));
let n179 = (n168 + n173);
let n180 = n179;
let n181 = (n180 * n180);
n15 = (n15 + select(f32(0), n181, n155));
let n182 = (n169 + n174);
let n183 = n182;
let n184 = (n183 * n183);
n15 = (n15 + select(f32(0), n184, n155));
let n185 = (n170 + n175);
let n186 = n185;
let n187 = (n186 * n186);
n15 = (n15 + select(f32(0), n187, n155));
let n188 = n7 + 160u;
let n189 = n188 < n11;
let n190 = min(n188, n11 - 1u);
let n191 = n12 + n190;
let n192 = 4u * n191 + 0u;
let n193 = 4u * n190 + 0u;
let n194 = 4u * n191 + 1u;
let n195 = 4u * n190 + 1u;
let n196 = 4u * n191 + 2u;
let n197 = 4u * n190 + 2u;
let n198 = 4u * n191 + 3u;
let n199 = 4u * n190 + 3u;
let n200 = vec4<f32>(n29[n191]);
let n201 = n200.x;
let n202 = n200.y;
let n203 = n200.z;
let n204 = n200.w;
let n205 = vec4<f32>(n35[n191]);
let n206 = n205.x;
let n207 = n205.y;
let n208 = n205.z;
let n209 = n205.w;
let n210 = (n201 + n206);
let n211 = n210;
let n212 = (n211 * n211);
n15 = (n15 + select(f32(0), n212, n189));
let n213 = (n202 + n207);
let n214 = n213;
let n215 = (n214 * n214);
n15 = (n15 + select(f32(0), n215, n189));
let n216 = (n203 + n208);
let n217 = n216;
let n218 = (n217 * n217);
n15 = (n15 + select(f32(0), n218, n189));
let n219 = (n204 + n209);
let n220 = n219;
let n221 = (n220 * n220);
n15 = (n15 + select(f32(0), n221, n189));
let n222 = n7 + 192u;
let n223 = n222 < n11;
let n224 = min(n222, n11 - 1u);
let n225 = n12 + n224;
let n226 = 4u * n225 + 0u;
let n227 = 4u * n224 + 0u;
let n228 = 4u * n225 + 1u;
let n229 = 4u * n224 + 1u;
let n230 = 4u * n225 + 2u;
let n231 = 4u * n224 + 2u;
let n232 = 4u * n225 + 3u;
let n233 = 4u * n224 + 3u;
let n234 = vec4<f32>(n29[n225]);
let n235 = n234.x;
let n236 = n234.y;
let n237 = n234.z;
let n238 = n234.w;
let n239 = vec4<f32>(n35[n225]);
let n240 = n239.x;
let n241 = n239.y;
let n242 = n239.z;
let n243 = n239.w;
let n244 = (n235 + n240);
let n245 = n244;
let n246 = (n245 * n245);
n15 = (n15 + select(f32(0), n246, n223));
let n247 = (n236 + n241);
let n248 = n247;
let n249 = (n248 * n248);
n15 = (n15 + select(f32(0), n249, n223));
let n250 = (n237 + n242);
let n251 = n250;
let n252 = (n251 * n251);
n15 = (n15 + select(f32(0), n252, n223));
let n253 = (n238 + n243);
let n254 = n253;
let n255 = (n254 * n254);
n15 = (n15 + select(f32(0), n255, n223));
let n256 = n7 + 224u;
let n257 = n256 < n11;
let n258 = min(n256, n11 - 1u);
let n259 = n12 + n258;
let n260 = 4u * n259 + 0u;
let n261 = 4u * n258 + 0u;
let n262 = 4u * n259 + 1u;
let n263 = 4u * n258 + 1u;
let n264 = 4u * n259 + 2u;
let n265 = 4u * n258 + 2u;
let n266 = 4u * n259 + 3u;
let n267 = 4u * n258 + 3u;
let n268 = vec4<f32>(n29[n259]);
let n269 = n268.x;
let n270 = n268.y;
let n271 = n268.z;
let n272 = n268.w;
let n273 = vec4<f32>(n35[n259]);
let n274 = n273.x;
let n275 = n273.y;
let n276 = n273.z;
let n277 = n273.w;
let n278 = (n269 + n274);
let n279 = n278;
let n280 = (n279 * n279);
n15 = (n15 + select(f32(0), n280, n257));
let n281 = (n270 + n275);
let n282 = n281;
let n283 = (n282 * n282);
n15 = (n15 + select(f32(0), n283, n257));
let n284 = (n271 + n276);
let n285 = n284;
let n286 = (n285 * n285);
n15 = (n15 + select(f32(0), n286, n257));
let n287 = (n272 + n277);
let n288 = n287;
let n289 = (n288 * n288);
n15 = (n15 + select(f32(0), n289, n257));
let n290 = subgroupAdd(n15);
let n291 = n290;
let n292 = n293(n291, n13);
let n294 = (n292 + n14);
let n295 = inverseSqrt(n294);
let n296 = (n295 * n295);
let n297 = (n41 * n295);
let n298 = f32(n299[n21]);
let n300 = n298;
let n301 = (n297 * n300);
let n302 = n301;
let n303 = (n44 * n295);
let n304 = f32(n299[n23]);
let n305 = n304;
let n306 = (n303 * n305);
let n307 = n306;
let n308 = (n47 * n295);
let n309 = f32(n299[n25]);
let n310 = n309;
let n311 = (n308 * n310);
let n312 = n311;
let n313 = (n50 * n295);
let n314 = f32(n299[n27]);
let n315 = n314;
let n316 = (n313 * n315);
let n317 = n316;
if (n9 && n17) {
n318[n19] = vec4<f16>(vec4<f32>(n302, n307, n312, n317));
}
let n319 = (n75 * n295);
let n320 = f32(n299[n57]);
let n321 = n320;
let n322 = (n319 * n321);
let n323 = n322;
let n324 = (n78 * n295);
let n325 = f32(n299[n59]);
let n326 = n325;
let n327 = (n324 * n326);
let n328 = n327;
let n329 = (n81 * n295);
let n330 = f32(n299[n61]);
let n331 = n330;
let n332 = (n329 * n331);
let n333 = n332;
let n334 = (n84 * n295);
let n335 = f32(n299[n63]);
let n336 = n335;
let n337 = (n334 * n336);
let n338 = n337;
if (n9 && n53) {
n318[n55] = vec4<f16>(vec4<f32>(n323, n328, n333, n338));
}
let n339 = (n109 * n295);
let n340 = f32(n299[n91]);
let n341 = n340;
let n342 = (n339 * n341);
let n343 = n342;
let n344 = (n112 * n295);
let n345 = f32(n299[n93]);
let n346 = n345;
let n347 = (n344 * n346);
let n348 = n347;
let n349 = (n115 * n295);
let n350 = f32(n299[n95]);
let n351 = n350;
let n352 = (n349 * n351);
let n353 = n352;
let n354 = (n118 * n295);
let n355 = f32(n299[n97]);
let n356 = n355;
let n357 = (n354 * n356);
let n358 = n357;
if (n9 && n87) {
n318[n89] = vec4<f16>(vec4<f32>(n343, n348, n353, n358));
}
let n359 = (n143 * n295);
let n360 = f32(n299[n125]);
let n361 = n360;
let n362 = (n359 * n361);
let n363 = n362;
let n364 = (n146 * n295);
let n365 = f32(n299[n127]);
let n366 = n365;
let n367 = (n364 * n366);
let n368 = n367;
let n369 = (n149 * n295);
let n370 = f32(n299[n129]);
let n371 = n370;
let n372 = (n369 * n371);
let n373 = n372;
let n374 = (n152 * n295);
let n375 = f32(n299[n131]);
let n376 = n375;
let n377 = (n374 * n376);
let n378 = n377;
if (n9 && n121) {
n318[n123] = vec4<f16>(vec4<f32>(n363, n368, n373, n378));
}
let n379 = (n177 * n295);
let n380 = f32(n299[n159]);
let n381 = n380;
let n382 = (n379 * n381);
let n383 = n382;
let n384 = (n180 * n295);
let n385 = f32(n299[n161]);
let n386 = n385;
let n387 = (n384 * n386);
let n388 = n387;
let n389 = (n183 * n295);
let n390 = f32(n299[n163]);
let n391 = n390;
let n392 = (n389 * n391);
let n393 = n392;
let n394 = (n186 * n295);
let n395 = f32(n299[n165]);
let n396 = n395;
let n397 = (n394 * n396);
let n398 = n397;
if (n9 && n155) {
n318[n157] = vec4<f16>(vec4<f32>(n383, n388, n393, n398));
}
let n399 = (n211 * n295);
let n400 = f32(n299[n193]);
let n401 = n400;
let n402 = (n399 * n401);
let n403 = n402;
let n404 = (n214 * n295);
let n405 = f32(n299[n195]);
let n406 = n405;
let n407 = (n404 * n406);
let n408 = n407;
let n409 = (n217 * n295);
let n410 = f32(n299[n197]);
let n411 = n410;
let n412 = (n409 * n411);
let n413 = n412;
let n414 = (n220 * n295);
let n415 = f32(n299[n199]);
let n416 = n415;
let n417 = (n414 * n416);
let n418 = n417;
if (n9 && n189) {
n318[n191] = vec4<f16>(vec4<f32>(n403, n408, n413, n418));
}
let n419 = (n245 * n295);
let n420 = f32(n299[n227]);
let n421 = n420;
let n422 = (n419 * n421);
let n423 = n422;
let n424 = (n248 * n295);
let n425 = f32(n299[n229]);
let n426 = n425;
let n427 = (n424 * n426);
let n428 = n427;
let n429 = (n251 * n295);
let n430 = f32(n299[n231]);
let n431 = n430;
let n432 = (n429 * n431);
let n433 = n432;
let n434 = (n254 * n295);
let n435 = f32(n299[n233]);
let n436 = n435;
let n437 = (n434 * n436);
let n438 = n437;
if (n9 && n223) {
n318[n225] = vec4<f16>(vec4<f32>(n423, n428, n433, n438));
}
let n439 = (n279 * n295);
let n440 = f32(n299[n261]);
let n441 = n440;
let n442 = (n439 * n441);
let n443 = n442;
let n444 = (n282 * n295);
let n445 = f32(n299[n263]);
let n446 = n445;
let n447 = (n444 * n446);
let n448 = n447;
let n449 = (n285 * n295);
let n450 = f32(n299[n265]);
let n451 = n450;
let n452 = (n449 * n451);
let n453 = n452;
let n454 = (n288 * n295);
let n455 = f32(n299[n267]);
let n456 = n455;
let n457 = (n454 * n456);
let n458 = n457;
if (n9 && n257) {
n318[n259] = vec4<f16>(vec4<f32>(n443, n448, n453, n458));
}
if (n7 == 0u && n9) {
n459[n10] = n295;
n460[n10] = n296;
}
}
// d54b5a841975
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 16u;
let n8 = (n1.y * n2.x + n1.x) * 8u + n3 / 16u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 16u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n10 / n5[1].z;
let n25 = n24 / n5[1].x;
let n26 = (n10 - n24 * n5[1].z) * n5[1].w + (n24 - n25 * n5[1].x) * n5[1].y + n25 * n5[0].w + n17;
let n27 = f32(n28[n26]);
let n29 = n27;
let n30 = n10 / n5[3].w;
let n31 = n30 / n5[3].y;
let n32 = (n10 - n30 * n5[3].w) * n5[4].x + (n30 - n31 * n5[3].y) * n5[3].z + n31 * n5[3].x + n17;
let n33 = f32(n34[n32]);
let n35 = n33;
let n36 = (n29 * n35);
n13 = (n13 + n36);
let n37 = n10 / n5[1].z;
let n38 = n37 / n5[1].x;
let n39 = (n10 - n37 * n5[1].z) * n5[1].w + (n37 - n38 * n5[1].x) * n5[1].y + n38 * n5[0].w + n19;
let n40 = f32(n28[n39]);
let n41 = n40;
let n42 = n10 / n5[3].w;
let n43 = n42 / n5[3].y;
let n44 = (n10 - n42 * n5[3].w) * n5[4].x + (n42 - n43 * n5[3].y) * n5[3].z + n43 * n5[3].x + n19;
let n45 = f32(n34[n44]);
let n46 = n45;
let n47 = (n41 * n46);
n13 = (n13 + n47);
let n48 = n10 / n5[1].z;
let n49 = n48 / n5[1].x;
let n50 = (n10 - n48 * n5[1].z) * n5[1].w + (n48 - n49 * n5[1].x) * n5[1].y + n49 * n5[0].w + n21;
let n51 = f32(n28[n50]);
let n52 = n51;
let n53 = n10 / n5[3].w;
let n54 = n53 / n5[3].y;
let n55 = (n10 - n53 * n5[3].w) * n5[4].x + (n53 - n54 * n5[3].y) * n5[3].z + n54 * n5[3].x + n21;
let n56 = f32(n34[n55]);
let n57 = n56;
let n58 = (n52 * n57);
n13 = (n13 + n58);
let n59 = n10 / n5[1].z;
let n60 = n59 / n5[1].x;
let n61 = (n10 - n59 * n5[1].z) * n5[1].w + (n59 - n60 * n5[1].x) * n5[1].y + n60 * n5[0].w + n23;
let n62 = f32(n28[n61]);
let n63 = n62;
let n64 = n10 / n5[3].w;
let n65 = n64 / n5[3].y;
let n66 = (n10 - n64 * n5[3].w) * n5[4].x + (n64 - n65 * n5[3].y) * n5[3].z + n65 * n5[3].x + n23;
let n67 = f32(n34[n66]);
let n68 = n67;
let n69 = (n63 * n68);
n13 = (n13 + n69);
}
n70[n3] = n13;
workgroupBarrier();
for (var n71 = 8u; n71 > 0u; n71 >>= 1u) {
if (n7 < n71) { n70[n3] = (n70[n3] + n70[n3 + n71]); }
workgroupBarrier();
}
let n72 = n70[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n73[n10] = n72;
}
}
// d55042ec0d83
fn n0(n1: u32, n2: u32, n3: u32, n4: u32, n5: u32) -> vec4<f16> {
return n6[n7(n1, n2, min(n4 + n5 / n8, n3)) + n5 % n8];
}
// d5b6299af408
const n0 = true;
// d69e21d152ee
fn n0(n1: u32, n2: n3, n4: u32, n5: u32, n6: u32) -> vec4<f32> {
let n7 = n4 + n6 / n8;
let n9 = n5 + n6 % n8;
if (n7 >= n2.n10 || n9 >= n11) { return vec4<f32>(); }
return n12(n1, n2.n13, n2.n14, n7, n9);
}
// d6ffa580c9fc
@group(0) @binding(4) var<storage, read_write> n0: array<f16>;
// d6ffb36795bf
const n0: u32 = n1 + 2u;
// d702f81c6554
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 7>;
// d7ff19f4eb96
@group(0) @binding(5) var<storage, read_write> n0: array<f32>;
// d8052009adc8
@group(0) @binding(7) var<uniform> n0: array<vec4<u32>, 3>;
// d86c295e2689
fn n0(n1: u32) {
let n2 = n3[6].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 + n3[6].w;
let n9 = n10((n11[n8 >> 1u] >> ((n8 & 1u) << 4u)) & 0xffffu);
let n12 = n5 + n3[6].w;
let n13 = n10((n11[n12 >> 1u] >> ((n12 & 1u) << 4u)) & 0xffffu);
let n14 = n6 + n3[6].w;
let n15 = n10((n11[n14 >> 1u] >> ((n14 & 1u) << 4u)) & 0xffffu);
let n16 = n7 + n3[6].w;
let n17 = n10((n11[n16 >> 1u] >> ((n16 & 1u) << 4u)) & 0xffffu);
n18[2u * n1] = n19(n9) | (n19(n13) << 16u);
n18[2u * n1 + 1u] = n19(n15) | (n19(n17) << 16u);
}
// d8cb3d1780bc
const n0: u32 = n1 / 4u + 2u;
// d931dd5166d4
fn n0(x: f32) -> f32 {
let n1 = n2(abs(x));
let n3 = u32(n1.y);
let n4 = select(n5(n1.x), n6(n1.x), (n3 & 1u) == 1u);
let sign = ((n3 + 1u) & 2u) << 30u;
return select(n7(), bitcast<f32>(bitcast<u32>(n4) ^ sign), n8(x));
}
// d97167569e2d
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
let n34 = subgroupAny(n35(n13));
let n36 = subgroupMax(select(n13, (-n14()), n35(n13)));
let n37 = select(n36, n38(), n34);
let n39 = n37;
var n40: f32 = f32(0);
let n41 = (n29 - n39);
let n42 = n43(n41);
n40 = (n40 + select(f32(0), n42, n16));
let n44 = (n30 - n39);
let n45 = n43(n44);
n40 = (n40 + select(f32(0), n45, n16));
let n46 = (n31 - n39);
let n47 = n43(n46);
n40 = (n40 + select(f32(0), n47, n16));
let n48 = (n32 - n39);
let n49 = n43(n48);
n40 = (n40 + select(f32(0), n49, n16));
let n50 = subgroupAdd(n40);
let n51 = n50;
let n52 = n53(n42, n51);
let n54 = n53(n45, n51);
let n55 = n53(n47, n51);
let n56 = n53(n49, n51);
if (n9 && n16) {
n57[n18] = vec4<f32>(n52, n54, n55, n56);
}
}
// da385fcd8cee
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n35[n3 / 32u] = n34; }
workgroupBarrier();
let n36 = (n3 - n7) / 32u;
var n37 = n35[n36];
for (var n38 = 1u; n38 < 8u; n38++) { n37 = (n37 + n35[n36 + n38]); }
let n39 = n37;
workgroupBarrier();
let n40 = n41(n39, n13);
let n42 = (n40 + n14);
let n43 = inverseSqrt(n42);
let n44 = n45[n19];
let n46 = n44.x;
let n47 = n44.y;
let n48 = n44.z;
let n49 = n44.w;
let n50 = (n46 * n43);
let n51 = n52[n19];
let n53 = n51.x;
let n54 = n51.y;
let n55 = n51.z;
let n56 = n51.w;
let n57 = (n50 * n53);
let n58 = (n47 * n43);
let n59 = (n58 * n54);
let n60 = (n48 * n43);
let n61 = (n60 * n55);
let n62 = (n49 * n43);
let n63 = (n62 * n56);
if (n9 && n17) {
n64[n19] = vec4<f32>(n57, n59, n61, n63);
}
}
// da7be5868bed
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = vec4<f32>(n4[n1]);
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = bitcast<f32>(n10[3].z);
let n11 = (n5 - n9);
let n12 = n2 + 1u;
let n13 = (n6 - n9);
let n14 = n2 + 2u;
let n15 = (n7 - n9);
let n16 = n2 + 3u;
let n17 = (n8 - n9);
return vec4<f32>(n11, n13, n15, n17);
}
// dab63e5bb7a9
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[3].x || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[4].y + n3) >> 2u;
return n9[n7];
}
// dae1eb694088
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17(n3.x);
let n18 = n17(n3.y);
let n19 = n17(n3.z);
let n20 = n17(n3.w);
let n21 = bitcast<f32>(n5[3].y);
let n22 = (n16 * n16);
let n23 = (n21 - n22);
let n24 = (n18 * n18);
let n25 = (n21 - n24);
let n26 = (n19 * n19);
let n27 = (n21 - n26);
let n28 = (n20 * n20);
let n29 = (n21 - n28);
n30[n7] = vec4<f32>(n16, n18, n19, n20);
n31[n7] = vec4<f32>(n23, n25, n27, n29);
}
// daf4cb1e4949
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = vec4<f32>(n4[n1]);
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = bitcast<f32>(n10[5].x);
let n11 = (n5 * n9);
let n12 = bitcast<f32>(n10[5].y);
let n13 = (n5 * n12);
let n14 = n15(n13);
let n16 = bitcast<f32>(n10[5].z);
let n17 = (n14 + n16);
let n18 = (n11 * n17);
let n19 = n2 + 1u;
let n20 = (n6 * n9);
let n21 = (n6 * n12);
let n22 = n15(n21);
let n23 = (n22 + n16);
let n24 = (n20 * n23);
let n25 = n2 + 2u;
let n26 = (n7 * n9);
let n27 = (n7 * n12);
let n28 = n15(n27);
let n29 = (n28 + n16);
let n30 = (n26 * n29);
let n31 = n2 + 3u;
let n32 = (n8 * n9);
let n33 = (n8 * n12);
let n34 = n15(n33);
let n35 = (n34 + n16);
let n36 = (n32 * n35);
return vec4<f32>(n18, n24, n30, n36);
}
// db8860023fa5
fn n0(x: f32) -> u32 {
let n1 = bitcast<u32>(x);
let n2 = n1 & 0x7fffffffu;
let n3 = (n2 + 0x0fffu + ((n2 >> 13u) & 1u) - 0x38000000u) >> 13u;
let n4 = u32(round(min(bitcast<f32>(n2), 1.0) * 16777216.0));
let n5 = select(n3, n4, n2 < 0x38800000u);
let n6 = select(0x7c00u, 0x7e00u, n2 > 0x7f800000u);
return ((n1 >> 16u) & 0x8000u) | select(n5, n6, n2 >= 0x47800000u);
}
// db9a6cea02e7
fn n0(n1: f32, sign: f32) -> f32 {
return bitcast<f32>((bitcast<u32>(n1) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}
// dc31864dfd13
struct n0 { n1: u32, n2: u32, }
// dc4e99f9dd6e
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = n30;
let n35 = (n34 * n34);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n32;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n33;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
n42[n3] = n15;
workgroupBarrier();
for (var n43 = 128u; n43 > 0u; n43 >>= 1u) {
if (n7 < n43) { n42[n3] = (n42[n3] + n42[n3 + n43]); }
workgroupBarrier();
}
let n44 = n42[n3 - n7];
workgroupBarrier();
let n45 = n46(n44, n13);
let n47 = (n45 + n14);
let n48 = inverseSqrt(n47);
let n49 = (n34 * n48);
let n50 = vec4<f32>(n51[n19]);
let n52 = n50.x;
let n53 = n50.y;
let n54 = n50.z;
let n55 = n50.w;
let n56 = n52;
let n57 = (n49 * n56);
let n58 = n57;
let n59 = (n36 * n48);
let n60 = n53;
let n61 = (n59 * n60);
let n62 = n61;
let n63 = (n38 * n48);
let n64 = n54;
let n65 = (n63 * n64);
let n66 = n65;
let n67 = (n40 * n48);
let n68 = n55;
let n69 = (n67 * n68);
let n70 = n69;
if (n9 && n17) {
n71[n19] = vec4<f16>(vec4<f32>(n58, n62, n66, n70));
}
}
// dc562732c64a
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 1u * 16u;
let n18 = n16 % 1u * 32u;
let n19 = (n2 / 32u);
let n20 = n2 % 32u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + (n5 + n19) * n25[1].x) >> 2u) + n20;
let n26 = (4u * n25[1].x) >> 2u;
let n27 = ((((n2 / 8u) & 1u) << 2u) | (((n2 / 8u) & 6u) >> 1u) | ((n2 / 8u) & ~7u));
let n28 = n2 % 8u;
let n29 = n27 * n30 + n28;
var n31 = n32();
var n33 = n32();
var n34 = vec4<n35>();
var n36 = vec4<n35>();
var n37 = vec4<n35>();
var n38 = vec4<n35>();
var n39 = vec4<n35>();
var n40 = vec4<n35>();
var n41 = vec4<n35>();
var n42 = vec4<n35>();
var n43 = vec4<n35>();
var n44 = vec4<n35>();
var n45 = vec4<n35>();
var n46 = vec4<n35>();
{
let n47 = select(0u, 0u, 0u < n9);
let n48 = n23 + (n47 >> 2u);
n34 = n49[n48 + 0u * n26];
n36 = n49[n48 + 1u * n26];
n37 = n49[n48 + 2u * n26];
n38 = n49[n48 + 3u * n26];
n39 = n50(n7, n6 + 4u * n28, n47 + n27 + 0u * 16u);
n40 = n50(n7, n6 + 4u * n28, n47 + n27 + 1u * 16u);
n41 = n50(n7, n6 + 4u * n28, n47 + n27 + 2u * 16u);
n42 = n50(n7, n6 + 4u * n28, n47 + n27 + 3u * 16u);
n43 = n50(n7, n6 + 4u * n28, n47 + n27 + 4u * 16u);
n44 = n50(n7, n6 + 4u * n28, n47 + n27 + 5u * 16u);
n45 = n50(n7, n6 + 4u * n28, n47 + n27 + 6u * 16u);
n46 = n50(n7, n6 + 4u * n28, n47 + n27 + 7u * 16u);
}
var n51 = vec4<n35>();
var n52 = vec4<n35>();
var n53 = vec4<n35>();
var n54 = vec4<n35>();
var n55 = vec4<n35>();
var n56 = vec4<n35>();
var n57 = vec4<n35>();
var n58 = vec4<n35>();
var n59 = vec4<n35>();
var n60 = vec4<n35>();
var n61 = vec4<n35>();
var n62 = vec4<n35>();
{
let n47 = select(0u, 128u, 128u < n9);
let n48 = n23 + (n47 >> 2u);
n51 = n49[n48 + 0u * n26];
n52 = n49[n48 + 1u * n26];
n53 = n49[n48 + 2u * n26];
n54 = n49[n48 + 3u * n26];
n55 = n50(n7, n6 + 4u * n28, n47 + n27 + 0u * 16u);
n56 = n50(n7, n6 + 4u * n28, n47 + n27 + 1u * 16u);
n57 = n50(n7, n6 + 4u * n28, n47 + n27 + 2u * 16u);
n58 = n50(n7, n6 + 4u * n28, n47 + n27 + 3u * 16u);
n59 = n50(n7, n6 + 4u * n28, n47 + n27 + 4u * 16u);
n60 = n50(n7, n6 + 4u * n28, n47 + n27 + 5u * 16u);
n61 = n50(n7, n6 + 4u * n28, n47 + n27 + 6u * 16u);
n62 = n50(n7, n6 + 4u * n28, n47 + n27 + 7u * 16u);
}
for (var n63 = 0u; n63 < n9; n63 += 2u * n64) {
{
n65[n21 + (0u * 4u) * n22] = n34;
n65[n21 + (1u * 4u) * n22] = n36;
n65[n21 + (2u * 4u) * n22] = n37;
n65[n21 + (3u * 4u) * n22] = n38;
n66[n29 + (0u * 16u) * n30] = n39;
n66[n29 + (1u * 16u) * n30] = n40;
n66[n29 + (2u * 16u) * n30] = n41;
n66[n29 + (3u * 16u) * n30] = n42;
n66[n29 + (4u * 16u) * n30] = n43;
n66[n29 + (5u * 16u) * n30] = n44;
n66[n29 + (6u * 16u) * n30] = n45;
n66[n29 + (7u * 16u) * n30] = n46;
workgroupBarrier();
let n67 = n63 + 2u * n64;
let n47 = select(0u, n67, n67 < n9);
let n48 = n23 + (n47 >> 2u);
n34 = n49[n48 + 0u * n26];
n36 = n49[n48 + 1u * n26];
n37 = n49[n48 + 2u * n26];
n38 = n49[n48 + 3u * n26];
n39 = n50(n7, n6 + 4u * n28, n47 + n27 + 0u * 16u);
n40 = n50(n7, n6 + 4u * n28, n47 + n27 + 1u * 16u);
n41 = n50(n7, n6 + 4u * n28, n47 + n27 + 2u * 16u);
n42 = n50(n7, n6 + 4u * n28, n47 + n27 + 3u * 16u);
n43 = n50(n7, n6 + 4u * n28, n47 + n27 + 4u * 16u);
n44 = n50(n7, n6 + 4u * n28, n47 + n27 + 5u * 16u);
n45 = n50(n7, n6 + 4u * n28, n47 + n27 + 6u * 16u);
n46 = n50(n7, n6 + 4u * n28, n47 + n27 + 7u * 16u);
{
let n68 = n69(n17 + 0u, n14 * 32u + 0u);
let n70 = n71(n18 + 0u, n14 * 32u + 0u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 0u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
{
let n68 = n69(n17 + 0u, n14 * 32u + 16u);
let n70 = n71(n18 + 0u, n14 * 32u + 16u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 16u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
workgroupBarrier();
}
for (var n73 = n63 + n64 < n9; n73; n73 = false) {
n65[n21 + (0u * 4u) * n22] = n51;
n65[n21 + (1u * 4u) * n22] = n52;
n65[n21 + (2u * 4u) * n22] = n53;
n65[n21 + (3u * 4u) * n22] = n54;
n66[n29 + (0u * 16u) * n30] = n55;
n66[n29 + (1u * 16u) * n30] = n56;
n66[n29 + (2u * 16u) * n30] = n57;
n66[n29 + (3u * 16u) * n30] = n58;
n66[n29 + (4u * 16u) * n30] = n59;
n66[n29 + (5u * 16u) * n30] = n60;
n66[n29 + (6u * 16u) * n30] = n61;
n66[n29 + (7u * 16u) * n30] = n62;
workgroupBarrier();
let n67 = n63 + 3u * n64;
let n47 = select(0u, n67, n67 < n9);
let n48 = n23 + (n47 >> 2u);
n51 = n49[n48 + 0u * n26];
n52 = n49[n48 + 1u * n26];
n53 = n49[n48 + 2u * n26];
n54 = n49[n48 + 3u * n26];
n55 = n50(n7, n6 + 4u * n28, n47 + n27 + 0u * 16u);
n56 = n50(n7, n6 + 4u * n28, n47 + n27 + 1u * 16u);
n57 = n50(n7, n6 + 4u * n28, n47 + n27 + 2u * 16u);
n58 = n50(n7, n6 + 4u * n28, n47 + n27 + 3u * 16u);
n59 = n50(n7, n6 + 4u * n28, n47 + n27 + 4u * 16u);
n60 = n50(n7, n6 + 4u * n28, n47 + n27 + 5u * 16u);
n61 = n50(n7, n6 + 4u * n28, n47 + n27 + 6u * 16u);
n62 = n50(n7, n6 + 4u * n28, n47 + n27 + 7u * 16u);
{
let n68 = n69(n17 + 0u, n14 * 32u + 0u);
let n70 = n71(n18 + 0u, n14 * 32u + 0u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 0u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
{
let n68 = n69(n17 + 0u, n14 * 32u + 16u);
let n70 = n71(n18 + 0u, n14 * 32u + 16u);
n31 = coopMultiplyAdd(n68, n70, n31);
let n72 = n71(n18 + 16u, n14 * 32u + 16u);
n33 = coopMultiplyAdd(n68, n72, n33);
}
workgroupBarrier();
}
}
let n74 = n11 * n75 * n76;
let n77 = n74 + 0u;
coopStoreT(n31, &n78[n77], n76);
workgroupBarrier();
if (n14 == 0u) {
n79(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n74, n13);
}
workgroupBarrier();
coopStoreT(n33, &n78[n77], n76);
workgroupBarrier();
if (n14 == 0u) {
n79(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n74, n13);
}
workgroupBarrier();
}
// dc9bc5a59c7e
@group(0) @binding(2) var<storage, read> n0: array<f16>;
// dd43851d6841
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
let n14 = n7 + 0u;
let n15 = n14 < n11;
let n16 = min(n14, n11 - 1u);
let n17 = n12 + n16;
let n18 = 4u * n17 + 0u;
let n19 = 4u * n16 + 0u;
let n20 = 4u * n17 + 1u;
let n21 = 4u * n16 + 1u;
let n22 = 4u * n17 + 2u;
let n23 = 4u * n16 + 2u;
let n24 = 4u * n17 + 3u;
let n25 = 4u * n16 + 3u;
let n26 = n27[n17];
let n28 = n26.x;
let n29 = n26.y;
let n30 = n26.z;
let n31 = n26.w;
n13 = (n13 + select(f32(0), n28, n15));
n13 = (n13 + select(f32(0), n29, n15));
n13 = (n13 + select(f32(0), n30, n15));
n13 = (n13 + select(f32(0), n31, n15));
let n32 = n7 + 32u;
let n33 = n32 < n11;
let n34 = min(n32, n11 - 1u);
let n35 = n12 + n34;
let n36 = 4u * n35 + 0u;
let n37 = 4u * n34 + 0u;
let n38 = 4u * n35 + 1u;
let n39 = 4u * n34 + 1u;
let n40 = 4u * n35 + 2u;
let n41 = 4u * n34 + 2u;
let n42 = 4u * n35 + 3u;
let n43 = 4u * n34 + 3u;
let n44 = n27[n35];
let n45 = n44.x;
let n46 = n44.y;
let n47 = n44.z;
let n48 = n44.w;
n13 = (n13 + select(f32(0), n45, n33));
n13 = (n13 + select(f32(0), n46, n33));
n13 = (n13 + select(f32(0), n47, n33));
n13 = (n13 + select(f32(0), n48, n33));
let n49 = n7 + 64u;
let n50 = n49 < n11;
let n51 = min(n49, n11 - 1u);
let n52 = n12 + n51;
let n53 = 4u * n52 + 0u;
let n54 = 4u * n51 + 0u;
let n55 = 4u * n52 + 1u;
let n56 = 4u * n51 + 1u;
let n57 = 4u * n52 + 2u;
let n58 = 4u * n51 + 2u;
let n59 = 4u * n52 + 3u;
let n60 = 4u * n51 + 3u;
let n61 = n27[n52];
let n62 = n61.x;
let n63 = n61.y;
let n64 = n61.z;
let n65 = n61.w;
n13 = (n13 + select(f32(0), n62, n50));
n13 = (n13 + select(f32(0), n63, n50));
n13 = (n13 + select(f32(0), n64, n50));
n13 = (n13 + select(f32(0), n65, n50));
let n66 = n7 + 96u;
let n67 = n66 < n11;
let n68 = min(n66, n11 - 1u);
let n69 = n12 + n68;
let n70 = 4u * n69 + 0u;
let n71 = 4u * n68 + 0u;
let n72 = 4u * n69 + 1u;
let n73 = 4u * n68 + 1u;
let n74 = 4u * n69 + 2u;
let n75 = 4u * n68 + 2u;
let n76 = 4u * n69 + 3u;
let n77 = 4u * n68 + 3u;
let n78 = n27[n69];
let n79 = n78.x;
let n80 = n78.y;
let n81 = n78.z;
let n82 = n78.w;
n13 = (n13 + select(f32(0), n79, n67));
n13 = (n13 + select(f32(0), n80, n67));
n13 = (n13 + select(f32(0), n81, n67));
n13 = (n13 + select(f32(0), n82, n67));
let n83 = n7 + 128u;
let n84 = n83 < n11;
let n85 = min(n83, n11 - 1u);
let n86 = n12 + n85;
let n87 = 4u * n86 + 0u;
let n88 = 4u * n85 + 0u;
let n89 = 4u * n86 + 1u;
let n90 = 4u * n85 + 1u;
let n91 = 4u * n86 + 2u;
let n92 = 4u * n85 + 2u;
let n93 = 4u * n86 + 3u;
let n94 = 4u * n85 + 3u;
let n95 = n27[n86];
let n96 = n95.x;
let n97 = n95.y;
let n98 = n95.z;
let n99 = n95.w;
n13 = (n13 + select(f32(0), n96, n84));
n13 = (n13 + select(f32(0), n97, n84));
n13 = (n13 + select(f32(0), n98, n84));
n13 = (n13 + select(f32(0), n99, n84));
let n100 = n7 + 160u;
let n101 = n100 < n11;
let n102 = min(n100, n11 - 1u);
let n103 = n12 + n102;
let n104 = 4u * n103 + 0u;
let n105 = 4u * n102 + 0u;
let n106 = 4u * n103 + 1u;
let n107 = 4u * n102 + 1u;
let n108 = 4u * n103 + 2u;
let n109 = 4u * n102 + 2u;
let n110 = 4u * n103 + 3u;
let n111 = 4u * n102 + 3u;
let n112 = n27[n103];
let n113 = n112.x;
let n114 = n112.y;
let n115 = n112.z;
let n116 = n112.w;
n13 = (n13 + select(f32(0), n113, n101));
n13 = (n13 + select(f32(0), n114, n101));
n13 = (n13 + select(f32(0), n115, n101));
n13 = (n13 + select(f32(0), n116, n101));
let n117 = n7 + 192u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = n27[n120];
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
n13 = (n13 + select(f32(0), n130, n118));
n13 = (n13 + select(f32(0), n131, n118));
n13 = (n13 + select(f32(0), n132, n118));
n13 = (n13 + select(f32(0), n133, n118));
let n134 = n7 + 224u;
let n135 = n134 < n11;
let n136 = min(n134, n11 - 1u);
let n137 = n12 + n136;
let n138 = 4u * n137 + 0u;
let n139 = 4u * n136 + 0u;
let n140 = 4u * n137 + 1u;
let n141 = 4u * n136 + 1u;
let n142 = 4u * n137 + 2u;
let n143 = 4u * n136 + 2u;
let n144 = 4u * n137 + 3u;
let n145 = 4u * n136 + 3u;
let n146 = n27[n137];
let n147 = n146.x;
let n148 = n146.y;
let n149 = n146.z;
let n150 = n146.w;
n13 = (n13 + select(f32(0), n147, n135));
n13 = (n13 + select(f32(0), n148, n135));
n13 = (n13 + select(f32(0), n149, n135));
n13 = (n13 + select(f32(0), n150, n135));
n151[n3] = n13;
workgroupBarrier();
for (var n152 = 16u; n152 > 0u; n152 >>= 1u) {
if (n7 < n152) { n151[n3] = (n151[n3] + n151[n3 + n152]); }
workgroupBarrier();
}
let n153 = n151[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n154[n10] = n153;
}
}
// dd6e41511808
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 1>;
// dd76b956ded1
@group(0) @binding(1) var<storage, read> n0: array<vec4<f32>>;
// dd9c5231bb4f
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 + n3[0].w;
let n9 = f32(n10[n8]);
let n11 = n9;
let n12 = (n4 % n3[1].z);
let n13 = n14[n12];
let n15 = (n11 * n13);
let n16 = n4 / n3[3].y;
let n17 = n16 / n3[2].w;
let n18 = (n4 - n16 * n3[3].y) + (n16 - n17 * n3[2].w) * n3[3].x + n17 * n3[2].z + n3[3].w;
let n19 = n18 + n3[4].z;
let n20 = f32(n10[n19]);
let n21 = n20;
let n22 = (n4 % n3[5].y);
let n23 = n24[n22];
let n25 = (n21 * n23);
let n26 = (n15 + n25);
let n27 = n26;
let n28 = n5 + n3[0].w;
let n29 = f32(n10[n28]);
let n30 = n29;
let n31 = (n5 % n3[1].z);
let n32 = n14[n31];
let n33 = (n30 * n32);
let n34 = n5 / n3[3].y;
let n35 = n34 / n3[2].w;
let n36 = (n5 - n34 * n3[3].y) + (n34 - n35 * n3[2].w) * n3[3].x + n35 * n3[2].z + n3[3].w;
let n37 = n36 + n3[4].z;
let n38 = f32(n10[n37]);
let n39 = n38;
let n40 = (n5 % n3[5].y);
let n41 = n24[n40];
let n42 = (n39 * n41);
let n43 = (n33 + n42);
let n44 = n43;
let n45 = n6 + n3[0].w;
let n46 = f32(n10[n45]);
let n47 = n46;
let n48 = (n6 % n3[1].z);
let n49 = n14[n48];
let n50 = (n47 * n49);
let n51 = n6 / n3[3].y;
let n52 = n51 / n3[2].w;
let n53 = (n6 - n51 * n3[3].y) + (n51 - n52 * n3[2].w) * n3[3].x + n52 * n3[2].z + n3[3].w;
let n54 = n53 + n3[4].z;
let n55 = f32(n10[n54]);
let n56 = n55;
let n57 = (n6 % n3[5].y);
let n58 = n24[n57];
let n59 = (n56 * n58);
let n60 = (n50 + n59);
let n61 = n60;
let n62 = n7 + n3[0].w;
let n63 = f32(n10[n62]);
let n64 = n63;
let n65 = (n7 % n3[1].z);
let n66 = n14[n65];
let n67 = (n64 * n66);
let n68 = n7 / n3[3].y;
let n69 = n68 / n3[2].w;
let n70 = (n7 - n68 * n3[3].y) + (n68 - n69 * n3[2].w) * n3[3].x + n69 * n3[2].z + n3[3].w;
let n71 = n70 + n3[4].z;
let n72 = f32(n10[n71]);
let n73 = n72;
let n74 = (n7 % n3[5].y);
let n75 = n24[n74];
let n76 = (n73 * n75);
let n77 = (n67 + n76);
let n78 = n77;
n79[n1] = vec4<f16>(vec4<f32>(n27, n44, n61, n78));
}
// dec549efe39a
fn n0(n1: u32, n2: vec2<u32>, n3: u32, n4: u32, n5: u32) -> vec4<f32> {
return n6(n7(n2.x, n3, n4) + n5);
}
// df087c1c5c9d
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 8u;
let n8 = (n1.y * n2.x + n1.x) * 16u + n3 / 8u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[1].y);
var n14: f32 = f32(0);
for (var n15 = n7; n15 < n11; n15 += 8u) {
let n16 = n12 + n15;
let n17 = 4u * n16 + 0u;
let n18 = 4u * n15 + 0u;
let n19 = 4u * n16 + 1u;
let n20 = 4u * n15 + 1u;
let n21 = 4u * n16 + 2u;
let n22 = 4u * n15 + 2u;
let n23 = 4u * n16 + 3u;
let n24 = 4u * n15 + 3u;
let n25 = n26[n16];
let n27 = n25.x;
let n28 = n25.y;
let n29 = n25.z;
let n30 = n25.w;
let n31 = (n27 * n13);
n14 = (n14 + n31);
let n32 = (n28 * n13);
n14 = (n14 + n32);
let n33 = (n29 * n13);
n14 = (n14 + n33);
let n34 = (n30 * n13);
n14 = (n14 + n34);
if (n9) {
n35[n16] = vec4<f32>(n31, n32, n33, n34);
}
}
n36[n3] = n14;
workgroupBarrier();
for (var n37 = 4u; n37 > 0u; n37 >>= 1u) {
if (n7 < n37) { n36[n3] = (n36[n3] + n36[n3 + n37]); }
workgroupBarrier();
}
let n38 = n36[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n39[n10] = n38;
}
}
// df787d43de74
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n4 - n3[0].z;
let n15 = n14 < n3[0].w;
let n16 = select(0u, n14, n15);
let n17 = n18[n16];
let n19 = bitcast<f32>(n3[11].z);
let n20 = select(n19, n17, n15);
let n21 = (n10 + n20);
let n22 = n4 - n3[2].x;
let n23 = n22 < n3[2].y;
let n24 = select(0u, n22, n23);
let n25 = n26[n24];
let n27 = select(n19, n25, n23);
let n28 = (n21 + n27);
let n29 = n4 - n3[2].w;
let n30 = n29 < n3[3].x;
let n31 = select(0u, n29, n30);
let n32 = n33[n31];
let n34 = select(n19, n32, n30);
let n35 = (n28 + n34);
let n36 = n4 - n3[3].z;
let n37 = n36 < n3[3].w;
let n38 = select(0u, n36, n37);
let n39 = n40[n38];
let n41 = select(n19, n39, n37);
let n42 = (n35 + n41);
let n43 = n4 - n3[4].y;
let n44 = n43 < n3[4].z;
let n45 = select(0u, n43, n44);
let n46 = n47[n45];
let n48 = select(n19, n46, n44);
let n49 = (n42 + n48);
let n50 = n4 - n3[5].x;
let n51 = n50 < n3[5].y;
let n52 = select(0u, n50, n51);
let n53 = n54[n52];
let n55 = select(n19, n53, n51);
let n56 = (n49 + n55);
let n57 = n4 - n3[5].w;
let n58 = n57 < n3[6].x;
let n59 = select(0u, n57, n58);
let n60 = n61[n59];
let n62 = select(n19, n60, n58);
let n63 = (n56 + n62);
let n64 = n4 - n3[6].z;
let n65 = n64 < n3[6].w;
let n66 = select(0u, n64, n65);
let n67 = n68[n66];
let n69 = select(n19, n67, n65);
let n70 = (n63 + n69);
let n71 = n4 - n3[7].y;
let n72 = n71 < n3[7].z;
let n73 = select(0u, n71, n72);
let n74 = n75[n73];
let n76 = select(n19, n74, n72);
let n77 = (n70 + n76);
let n78 = n4 - n3[8].x;
let n79 = n78 < n3[8].y;
let n80 = select(0u, n78, n79);
let n81 = n82[n80];
let n83 = select(n19, n81, n79);
let n84 = (n77 + n83);
let n85 = n4 - n3[8].w;
let n86 = n85 < n3[9].x;
let n87 = select(0u, n85, n86);
let n88 = n89[n87];
let n90 = select(n19, n88, n86);
let n91 = (n84 + n90);
let n92 = n4 - n3[9].z;
let n93 = n92 < n3[9].w;
let n94 = select(0u, n92, n93);
let n95 = n96[n94];
let n97 = select(n19, n95, n93);
let n98 = (n91 + n97);
let n99 = n4 - n3[10].y;
let n100 = n99 < n3[10].z;
let n101 = select(0u, n99, n100);
let n102 = n103[n101];
let n104 = select(n19, n102, n100);
let n105 = (n98 + n104);
let n106 = n4 - n3[11].x;
let n107 = n106 < n3[11].y;
let n108 = select(0u, n106, n107);
let n109 = n110[n108];
let n111 = select(n19, n109, n107);
let n112 = (n105 + n111);
let n113 = n5 - n3[0].z;
let n114 = n113 < n3[0].w;
let n115 = select(0u, n113, n114);
let n116 = n18[n115];
let n117 = select(n19, n116, n114);
let n118 = (n11 + n117);
let n119 = n5 - n3[2].x;
let n120 = n119 < n3[2].y;
let n121 = select(0u, n119, n120);
let n122 = n26[n121];
let n123 = select(n19, n122, n120);
let n124 = (n118 + n123);
let n125 = n5 - n3[2].w;
let n126 = n125 < n3[3].x;
let n127 = select(0u, n125, n126);
let n128 = n33[n127];
let n129 = select(n19, n128, n126);
let n130 = (n124 + n129);
let n131 = n5 - n3[3].z;
let n132 = n131 < n3[3].w;
let n133 = select(0u, n131, n132);
let n134 = n40[n133];
let n135 = select(n19, n134, n132);
let n136 = (n130 + n135);
let n137 = n5 - n3[4].y;
let n138 = n137 < n3[4].z;
let n139 = select(0u, n137, n138);
let n140 = n47[n139];
let n141 = select(n19, n140, n138);
let n142 = (n136 + n141);
let n143 = n5 - n3[5].x;
let n144 = n143 < n3[5].y;
let n145 = select(0u, n143, n144);
let n146 = n54[n145];
let n147 = select(n19, n146, n144);
let n148 = (n142 + n147);
let n149 = n5 - n3[5].w;
let n150 = n149 < n3[6].x;
let n151 = select(0u, n149, n150);
let n152 = n61[n151];
let n153 = select(n19, n152, n150);
let n154 = (n148 + n153);
let n155 = n5 - n3[6].z;
let n156 = n155 < n3[6].w;
let n157 = select(0u, n155, n156);
let n158 = n68[n157];
let n159 = select(n19, n158, n156);
let n160 = (n154 + n159);
let n161 = n5 - n3[7].y;
let n162 = n161 < n3[7].z;
let n163 = select(0u, n161, n162);
let n164 = n75[n163];
let n165 = select(n19, n164, n162);
let n166 = (n160 + n165);
let n167 = n5 - n3[8].x;
let n168 = n167 < n3[8].y;
let n169 = select(0u, n167, n168);
let n170 = n82[n169];
let n171 = select(n19, n170, n168);
let n172 = (n166 + n171);
let n173 = n5 - n3[8].w;
let n174 = n173 < n3[9].x;
let n175 = select(0u, n173, n174);
let n176 = n89[n175];
let n177 = select(n19, n176, n174);
let n178 = (n172 + n177);
let n179 = n5 - n3[9].z;
let n180 = n179 < n3[9].w;
let n181 = select(0u, n179, n180);
let n182 = n96[n181];
let n183 = select(n19, n182, n180);
let n184 = (n178 + n183);
let n185 = n5 - n3[10].y;
let n186 = n185 < n3[10].z;
let n187 = select(0u, n185, n186);
let n188 = n103[n187];
let n189 = select(n19, n188, n186);
let n190 = (n184 + n189);
let n191 = n5 - n3[11].x;
let n192 = n191 < n3[11].y;
let n193 = select(0u, n191, n192);
let n194 = n110[n193];
let n195 = select(n19, n194, n192);
let n196 = (n190 + n195);
let n197 = n6 - n3[0].z;
let n198 = n197 < n3[0].w;
let n199 = select(0u, n197, n198);
let n200 = n18[n199];
let n201 = select(n19, n200, n198);
let n202 = (n12 + n201);
let n203 = n6 - n3[2].x;
let n204 = n203 < n3[2].y;
let n205 = select(0u, n203, n204);
let n206 = n26[n205];
let n207 = select(n19, n206, n204);
let n208 = (n202 + n207);
let n209 = n6 - n3[2].w;
let n210 = n209 < n3[3].x;
let n211 = select(0u, n209, n210);
let n212 = n33[n211];
let n213 = select(n19, n212, n210);
let n214 = (n208 + n213);
let n215 = n6 - n3[3].z;
let n216 = n215 < n3[3].w;
let n217 = select(0u, n215, n216);
let n218 = n40[n217];
let n219 = select(n19, n218, n216);
let n220 = (n214 + n219);
let n221 = n6 - n3[4].y;
let n222 = n221 < n3[4].z;
let n223 = select(0u, n221, n222);
let n224 = n47[n223];
let n225 = select(n19, n224, n222);
let n226 = (n220 + n225);
let n227 = n6 - n3[5].x;
let n228 = n227 < n3[5].y;
let n229 = select(0u, n227, n228);
let n230 = n54[n229];
let n231 = select(n19, n230, n228);
let n232 = (n226 + n231);
let n233 = n6 - n3[5].w;
let n234 = n233 < n3[6].x;
let n235 = select(0u, n233, n234);
let n236 = n61[n235];
let n237 = select(n19, n236, n234);
let n238 = (n232 + n237);
let n239 = n6 - n3[6].z;
let n240 = n239 < n3[6].w;
let n241 = select(0u, n239, n240);
let n242 = n68[n241];
let n243 = select(n19, n242, n240);
let n244 = (n238 + n243);
let n245 = n6 - n3[7].y;
let n246 = n245 < n3[7].z;
let n247 = select(0u, n245, n246);
let n248 = n75[n247];
let n249 = select(n19, n248, n246);
let n250 = (n244 + n249);
let n251 = n6 - n3[8].x;
let n252 = n251 < n3[8].y;
let n253 = select(0u, n251, n252);
let n254 = n82[n253];
let n255 = select(n19, n254, n252);
let n256 = (n250 + n255);
let n257 = n6 - n3[8].w;
let n258 = n257 < n3[9].x;
let n259 = select(0u, n257, n258);
let n260 = n89[n259];
let n261 = select(n19, n260, n258);
let n262 = (n256 + n261);
let n263 = n6 - n3[9].z;
let n264 = n263 < n3[9].w;
let n265 = select(0u, n263, n264);
let n266 = n96[n265];
let n267 = select(n19, n266, n264);
let n268 = (n262 + n267);
let n269 = n6 - n3[10].y;
let n270 = n269 < n3[10].z;
let n271 = select(0u, n269, n270);
let n272 = n103[n271];
let n273 = select(n19, n272, n270);
let n274 = (n268 + n273);
let n275 = n6 - n3[11].x;
let n276 = n275 < n3[11].y;
let n277 = select(0u, n275, n276);
let n278 = n110[n277];
let n279 = select(n19, n278, n276);
let n280 = (n274 + n279);
let n281 = n7 - n3[0].z;
let n282 = n281 < n3[0].w;
let n283 = select(0u, n281, n282);
let n284 = n18[n283];
let n285 = select(n19, n284, n282);
let n286 = (n13 + n285);
let n287 = n7 - n3[2].x;
let n288 = n287 < n3[2].y;
let n289 = select(0u, n287, n288);
let n290 = n26[n289];
let n291 = select(n19, n290, n288);
let n292 = (n286 + n291);
let n293 = n7 - n3[2].w;
let n294 = n293 < n3[3].x;
let n295 = select(0u, n293, n294);
let n296 = n33[n295];
let n297 = select(n19, n296, n294);
let n298 = (n292 + n297);
let n299 = n7 - n3[3].z;
let n300 = n299 < n3[3].w;
let n301 = select(0u, n299, n300);
let n302 = n40[n301];
let n303 = select(n19, n302, n300);
let n304 = (n298 + n303);
let n305 = n7 - n3[4].y;
let n306 = n305 < n3[4].z;
let n307 = select(0u, n305, n306);
let n308 = n47[n307];
let n309 = select(n19, n308, n306);
let n310 = (n304 + n309);
let n311 = n7 - n3[5].x;
let n312 = n311 < n3[5].y;
let n313 = select(0u, n311, n312);
let n314 = n54[n313];
let n315 = select(n19, n314, n312);
let n316 = (n310 + n315);
let n317 = n7 - n3[5].w;
let n318 = n317 < n3[6].x;
let n319 = select(0u, n317, n318);
let n320 = n61[n319];
let n321 = select(n19, n320, n318);
let n322 = (n316 + n321);
let n323 = n7 - n3[6].z;
let n324 = n323 < n3[6].w;
let n325 = select(0u, n323, n324);
let n326 = n68[n325];
let n327 = select(n19, n326, n324);
let n328 = (n322 + n327);
let n329 = n7 - n3[7].y;
let n330 = n329 < n3[7].z;
let n331 = select(0u, n329, n330);
let n332 = n75[n331];
let n333 = select(n19, n332, n330);
let n334 = (n328 + n333);
let n335 = n7 - n3[8].x;
let n336 = n335 < n3[8].y;
let n337 = select(0u, n335, n336);
let n338 = n82[n337];
let n339 = select(n19, n338, n336);
let n340 = (n334 + n339);
let n341 = n7 - n3[8].w;
let n342 = n341 < n3[9].x;
let n343 = select(0u, n341, n342);
let n344 = n89[n343];
let n345 = select(n19, n344, n342);
let n346 = (n340 + n345);
let n347 = n7 - n3[9].z;
let n348 = n347 < n3[9].w;
let n349 = select(0u, n347, n348);
let n350 = n96[n349];
let n351 = select(n19, n350, n348);
let n352 = (n346 + n351);
let n353 = n7 - n3[10].y;
let n354 = n353 < n3[10].z;
let n355 = select(0u, n353, n354);
let n356 = n103[n355];
let n357 = select(n19, n356, n354);
let n358 = (n352 + n357);
let n359 = n7 - n3[11].x;
let n360 = n359 < n3[11].y;
let n361 = select(0u, n359, n360);
let n362 = n110[n361];
let n363 = select(n19, n362, n360);
let n364 = (n358 + n363);
n365[n1] = vec4<f32>(n112, n196, n280, n364);
}
// dfdbe72d0235
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) n2: u32) {
let n3 = n4(group);
let n5 = n3.y;
let n6 = n3.x;
let n7 = n8(n3.z);
let n9 = n10();
let n11 = n2 / n12;
let n13 = n2 % n12;
let n14 = n11 % n15;
let n16 = n11 / n15;
let n17 = n16 / 2u * 64u;
let n18 = n16 % 2u * 32u;
let n19 = (n2 / 32u);
let n20 = n2 % 32u;
let n21 = n19 * n22 + n20;
let n23 = ((n7.n24 + n19 * n25[1].y + n5) >> 2u) + n20;
let n26 = (4u * n25[1].y) >> 2u;
let n27 = (n2 / 16u);
let n28 = n2 % 16u;
let n29 = n27 * n30 + n28;
let n31 = ((n7.n32 + n27 * n25[1].w + n6) >> 2u) + n28;
let n33 = (8u * n25[1].w) >> 2u;
var n34 = n35();
var n36 = n35();
var n37 = n35();
var n38 = n35();
var n39 = n35();
var n40 = n35();
var n41 = n35();
var n42 = n35();
var n43 = vec4<n44>();
var n45 = vec4<n44>();
var n46 = vec4<n44>();
var n47 = vec4<n44>();
var n48 = vec4<n44>();
var n49 = vec4<n44>();
var n50 = vec4<n44>();
var n51 = vec4<n44>();
var n52 = vec4<n44>();
var n53 = vec4<n44>();
var n54 = vec4<n44>();
var n55 = vec4<n44>();
var n56 = vec4<n44>();
var n57 = vec4<n44>();
var n58 = vec4<n44>();
var n59 = vec4<n44>();
var n60 = vec4<n44>();
var n61 = vec4<n44>();
var n62 = vec4<n44>();
var n63 = vec4<n44>();
var n64 = vec4<n44>();
var n65 = vec4<n44>();
var n66 = vec4<n44>();
var n67 = vec4<n44>();
{
let n68 = select(0u, 0u, 0u < n9);
let n69 = n23 + n68 * (n25[1].y >> 2u);
n43 = n70[n69 + 0u * n26];
n45 = n70[n69 + 1u * n26];
n46 = n70[n69 + 2u * n26];
n47 = n70[n69 + 3u * n26];
n48 = n70[n69 + 4u * n26];
n49 = n70[n69 + 5u * n26];
n50 = n70[n69 + 6u * n26];
n51 = n70[n69 + 7u * n26];
n52 = n70[n69 + 8u * n26];
n53 = n70[n69 + 9u * n26];
n54 = n70[n69 + 10u * n26];
n55 = n70[n69 + 11u * n26];
n56 = n70[n69 + 12u * n26];
n57 = n70[n69 + 13u * n26];
n58 = n70[n69 + 14u * n26];
n59 = n70[n69 + 15u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
}
for (var n73 = 0u; n73 < n9; n73 += 1u * n74) {
{
n75[n21 + (0u * 4u) * n22] = n43;
n75[n21 + (1u * 4u) * n22] = n45;
n75[n21 + (2u * 4u) * n22] = n46;
n75[n21 + (3u * 4u) * n22] = n47;
n75[n21 + (4u * 4u) * n22] = n48;
n75[n21 + (5u * 4u) * n22] = n49;
n75[n21 + (6u * 4u) * n22] = n50;
n75[n21 + (7u * 4u) * n22] = n51;
n75[n21 + (8u * 4u) * n22] = n52;
n75[n21 + (9u * 4u) * n22] = n53;
n75[n21 + (10u * 4u) * n22] = n54;
n75[n21 + (11u * 4u) * n22] = n55;
n75[n21 + (12u * 4u) * n22] = n56;
n75[n21 + (13u * 4u) * n22] = n57;
n75[n21 + (14u * 4u) * n22] = n58;
n75[n21 + (15u * 4u) * n22] = n59;
n76[n29 + (0u * 8u) * n30] = n60;
n76[n29 + (1u * 8u) * n30] = n61;
n76[n29 + (2u * 8u) * n30] = n62;
n76[n29 + (3u * 8u) * n30] = n63;
n76[n29 + (4u * 8u) * n30] = n64;
n76[n29 + (5u * 8u) * n30] = n65;
n76[n29 + (6u * 8u) * n30] = n66;
n76[n29 + (7u * 8u) * n30] = n67;
workgroupBarrier();
let n77 = n73 + 1u * n74;
let n68 = select(0u, n77, n77 < n9);
let n69 = n23 + n68 * (n25[1].y >> 2u);
n43 = n70[n69 + 0u * n26];
n45 = n70[n69 + 1u * n26];
n46 = n70[n69 + 2u * n26];
n47 = n70[n69 + 3u * n26];
n48 = n70[n69 + 4u * n26];
n49 = n70[n69 + 5u * n26];
n50 = n70[n69 + 6u * n26];
n51 = n70[n69 + 7u * n26];
n52 = n70[n69 + 8u * n26];
n53 = n70[n69 + 9u * n26];
n54 = n70[n69 + 10u * n26];
n55 = n70[n69 + 11u * n26];
n56 = n70[n69 + 12u * n26];
n57 = n70[n69 + 13u * n26];
n58 = n70[n69 + 14u * n26];
n59 = n70[n69 + 15u * n26];
let n71 = n31 + n68 * (n25[1].w >> 2u);
n60 = n72[n71 + 0u * n33];
n61 = n72[n71 + 1u * n33];
n62 = n72[n71 + 2u * n33];
n63 = n72[n71 + 3u * n33];
n64 = n72[n71 + 4u * n33];
n65 = n72[n71 + 5u * n33];
n66 = n72[n71 + 6u * n33];
n67 = n72[n71 + 7u * n33];
{
let n78 = n79(n17 + 0u, 0u);
let n80 = n79(n17 + 16u, 0u);
let n81 = n79(n17 + 32u, 0u);
let n82 = n79(n17 + 48u, 0u);
let n83 = n84(n18 + 0u, 0u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 0u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 16u);
let n80 = n79(n17 + 16u, 16u);
let n81 = n79(n17 + 32u, 16u);
let n82 = n79(n17 + 48u, 16u);
let n83 = n84(n18 + 0u, 16u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 16u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 32u);
let n80 = n79(n17 + 16u, 32u);
let n81 = n79(n17 + 32u, 32u);
let n82 = n79(n17 + 48u, 32u);
let n83 = n84(n18 + 0u, 32u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 32u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
{
let n78 = n79(n17 + 0u, 48u);
let n80 = n79(n17 + 16u, 48u);
let n81 = n79(n17 + 32u, 48u);
let n82 = n79(n17 + 48u, 48u);
let n83 = n84(n18 + 0u, 48u);
n34 = coopMultiplyAdd(n78, n83, n34);
n37 = coopMultiplyAdd(n80, n83, n37);
n39 = coopMultiplyAdd(n81, n83, n39);
n41 = coopMultiplyAdd(n82, n83, n41);
let n85 = n84(n18 + 16u, 48u);
n36 = coopMultiplyAdd(n78, n85, n36);
n38 = coopMultiplyAdd(n80, n85, n38);
n40 = coopMultiplyAdd(n81, n85, n40);
n42 = coopMultiplyAdd(n82, n85, n42);
}
workgroupBarrier();
}
}
let n86 = n11 * n87 * n88;
let n89 = n86 + 0u;
coopStoreT(n34, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 0u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n36, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 0u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n37, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 16u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n38, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 16u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n39, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 32u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n40, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 32u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
coopStoreT(n41, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 48u, n6 + n18 + 0u, n86, n13);
workgroupBarrier();
coopStoreT(n42, &n90[n89], n88);
workgroupBarrier();
n91(n3.z, n5 + n17 + 48u, n6 + n18 + 16u, n86, n13);
workgroupBarrier();
}
// e00da56e4d5d
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[1].z;
}
{ var n3 = z;
n2.n6 = n5[2].y;
}
return n2;
}
// e031f8876390
@group(0) @binding(0) var<storage, read_write> n0: array<vec4<f32>>;
// e09dfe1f8e27
fn n0(n1: vec4<f32>, n2: u32, n3: u32, n4: u32, n5: u32) -> vec4<f32> {
return vec4<f32>(n6(n1.x, n2, n3, n4, n5), n6(n1.y, n2, n3, n4, n5 + 1u),
n6(n1.z, n2, n3, n4, n5 + 2u), n6(n1.w, n2, n3, n4, n5 + 3u));
}
// e0ba3d6793a5
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
n34[n3] = n13;
workgroupBarrier();
for (var n35 = 16u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = n33(n34[n3], n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
var n37: f32 = f32(0);
let n38 = (n29 - n36);
let n39 = n40(n38);
n37 = (n37 + select(f32(0), n39, n16));
let n41 = (n30 - n36);
let n42 = n40(n41);
n37 = (n37 + select(f32(0), n42, n16));
let n43 = (n31 - n36);
let n44 = n40(n43);
n37 = (n37 + select(f32(0), n44, n16));
let n45 = (n32 - n36);
let n46 = n40(n45);
n37 = (n37 + select(f32(0), n46, n16));
n34[n3] = n37;
workgroupBarrier();
for (var n35 = 16u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n47 = n34[n3 - n7];
workgroupBarrier();
let n48 = n49(n39, n47);
let n50 = n49(n42, n47);
let n51 = n49(n44, n47);
let n52 = n49(n46, n47);
if (n9 && n16) {
n53[n18] = vec4<f32>(n48, n50, n51, n52);
}
}
// e0e1237b88ef
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[2u * n7];
let n18 = n17[2u * n7 + 1u];
let n19 = n20((n16 >> 0u) & 0xffffu);
let n21 = n20((n16 >> 16u) & 0xffffu);
let n22 = n20((n18 >> 0u) & 0xffffu);
let n23 = n20((n18 >> 16u) & 0xffffu);
let n24 = (n19 + n3.x);
let n25 = (n21 + n3.y);
let n26 = (n22 + n3.z);
let n27 = (n23 + n3.w);
n28[2u * n7] = n29(n24) | (n29(n25) << 16u);
n28[2u * n7 + 1u] = n29(n26) | (n29(n27) << 16u);
}
// e176e97878a1
@group(0) @binding(14) var<storage, read> n0: array<f32>;
// e2349cfa9fd3
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[2].z);
let n17 = (n3.x * n16);
let n18 = bitcast<f32>(n5[2].w);
let n19 = (n3.x * n18);
let n20 = n21(n19);
let n22 = bitcast<f32>(n5[3].x);
let n23 = (n20 + n22);
let n24 = (n17 * n23);
let n25 = (n3.y * n16);
let n26 = (n3.y * n18);
let n27 = n21(n26);
let n28 = (n27 + n22);
let n29 = (n25 * n28);
let n30 = (n3.z * n16);
let n31 = (n3.z * n18);
let n32 = n21(n31);
let n33 = (n32 + n22);
let n34 = (n30 * n33);
let n35 = (n3.w * n16);
let n36 = (n3.w * n18);
let n37 = n21(n36);
let n38 = (n37 + n22);
let n39 = (n35 * n38);
n40[n7] = vec4<f32>(n24, n29, n34, n39);
}
// e299d7762b7d
@group(0) @binding(5) var<storage, read> n0: array<vec4<f16>>;
// e3973348a998
fn n0(n1: u32, n2: u32) -> u32 {
return select(n1 >> (n2 & 31u), 0u, n2 > 31u);
}
// e39cd981ec9e
fn n0(n1: u32, n2: u32) -> n3 { return coopLoad<n3>(&n4[n1 * n5 + n2 / 4u], n5); }
// e4c5ef28cbf8
fn n0(n1: i32, n2: i32) {
if (atomicAdd(&n3[0], 1u) == 0u) {
atomicStore(&n3[1], bitcast<u32>(n1));
atomicStore(&n3[2], bitcast<u32>(n2));
}
}
// e564ec39042a
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = vec4<f32>(n9[n1]);
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = n10;
let n15 = n16(n14);
let n17 = n15;
let n18 = n11;
let n19 = n16(n18);
let n20 = n19;
let n21 = n12;
let n22 = n16(n21);
let n23 = n22;
let n24 = n13;
let n25 = n16(n24);
let n26 = n25;
let n27 = bitcast<i32>(n3[3].w);
let n28 = n4 / n3[0].w;
let n29 = (n4 - n28 * n3[0].w) + n28 * n3[0].z;
let n30 = bitcast<i32>(n29);
let n31 = bitcast<i32>(n3[4].x);
let n32 = (n30 * n31);
let n33 = (n27 + n32);
let n34 = 0u;
let n35 = n36[n34];
let n37 = bitcast<i32>(n3[4].y);
let n38 = n39(n35, n37);
let n40 = bitcast<i32>(n3[4].z);
let n41 = (n38 * n40);
let n42 = (n33 + n41);
let n43 = n5 / n3[0].w;
let n44 = (n5 - n43 * n3[0].w) + n43 * n3[0].z;
let n45 = bitcast<i32>(n44);
let n46 = (n45 * n31);
let n47 = (n27 + n46);
let n48 = 0u;
let n49 = n36[n48];
let n50 = n39(select(0, n49, 4u * n1 + 1u <= n2), n37);
let n51 = (n50 * n40);
let n52 = (n47 + n51);
let n53 = n6 / n3[0].w;
let n54 = (n6 - n53 * n3[0].w) + n53 * n3[0].z;
let n55 = bitcast<i32>(n54);
let n56 = (n55 * n31);
let n57 = (n27 + n56);
let n58 = 0u;
let n59 = n36[n58];
let n60 = n39(select(0, n59, 4u * n1 + 2u <= n2), n37);
let n61 = (n60 * n40);
let n62 = (n57 + n61);
let n63 = n7 / n3[0].w;
let n64 = (n7 - n63 * n3[0].w) + n63 * n3[0].z;
let n65 = bitcast<i32>(n64);
let n66 = (n65 * n31);
let n67 = (n27 + n66);
let n68 = 0u;
let n69 = n36[n68];
let n70 = n39(select(0, n69, 4u * n1 + 3u <= n2), n37);
let n71 = (n70 * n40);
let n72 = (n67 + n71);
n73[u32(n42)] = f16(n17);
if (4u * n1 + 1u <= n2) { n73[u32(n52)] = f16(n20);
}
if (4u * n1 + 2u <= n2) { n73[u32(n62)] = f16(n23);
}
if (4u * n1 + 3u <= n2) { n73[u32(n72)] = f16(n26);
}
}
// e64d8e915e43
@compute @workgroup_size(n0)
fn n1(@builtin(workgroup_id) n2: vec3<u32>, @builtin(num_workgroups) n3: vec3<u32>,
@builtin(local_invocation_index) n4: u32) {
let n5 = n2.y * n3.x + n2.x;
if (n5 >= n6.n7) { return; }
let n8 = n5 * n6.n9;
var n10 = n11;
for (var n12 = n4; n12 < n6.n9; n12 += n0) { n10 = max(n10, n13[n8 + n12].x); }
n14[n4] = n10;
workgroupBarrier();
for (var n15 = 0u; n15 < min(n0, n6.n9); n15++) { n10 = max(n10, n14[n15]); }
let n16 = n4 % n17;
var n18 = 0.0;
var n19 = vec4<f32>();
for (var n12 = n4 / n17; n12 < n6.n9; n12 += n20) {
let n21 = n13[n8 + n12];
let x = n21.x - n10;
let n22 = select(exp2(x), 0.0, x < -150.0);
n18 = fma(n22, n21.y, n18);
if (n16 < n23) { n19 = fma(vec4<f32>(n22), n24[(n8 + n12) * n23 + n16], n19); }
}
n25[n4] = n18;
n26[n4] = n19;
workgroupBarrier();
if (n4 >= n17) { return; }
for (var n15 = 1u; n15 < n20; n15++) {
n18 += n25[n15 * n17 + n16];
n19 += n26[n15 * n17 + n16];
}
let n27 = n18 == 0.0;
if (n16 < n23) { n28(n5 * n23 + n16, select(n19 / n18, vec4<f32>(), n27)); }
if (n4 == 0u) { n29[n5] = select(n10 + log2(n18), n11, n27); }
}
// e690ef0fa8a6
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n7 + 128u;
let n39 = n38 < n11;
let n40 = min(n38, n11 - 1u);
let n41 = n12 + n40;
let n42 = 4u * n41 + 0u;
let n43 = 4u * n40 + 0u;
let n44 = 4u * n41 + 1u;
let n45 = 4u * n40 + 1u;
let n46 = 4u * n41 + 2u;
let n47 = 4u * n40 + 2u;
let n48 = 4u * n41 + 3u;
let n49 = 4u * n40 + 3u;
let n50 = n29[n41];
let n51 = n50.x;
let n52 = n50.y;
let n53 = n50.z;
let n54 = n50.w;
let n55 = (n51 * n51);
n15 = (n15 + select(f32(0), n55, n39));
let n56 = (n52 * n52);
n15 = (n15 + select(f32(0), n56, n39));
let n57 = (n53 * n53);
n15 = (n15 + select(f32(0), n57, n39));
let n58 = (n54 * n54);
n15 = (n15 + select(f32(0), n58, n39));
n59[n3] = n15;
workgroupBarrier();
for (var n60 = 64u; n60 > 0u; n60 >>= 1u) {
if (n7 < n60) { n59[n3] = (n59[n3] + n59[n3 + n60]); }
workgroupBarrier();
}
let n61 = n59[n3 - n7];
workgroupBarrier();
let n62 = n63(n61, n13);
let n64 = (n62 + n14);
let n65 = inverseSqrt(n64);
let n66 = (n30 * n65);
let n67 = n68[n21];
let n69 = (n66 * n67);
let n70 = (n31 * n65);
let n71 = n68[n23];
let n72 = (n70 * n71);
let n73 = (n32 * n65);
let n74 = n68[n25];
let n75 = (n73 * n74);
let n76 = (n33 * n65);
let n77 = n68[n27];
let n78 = (n76 * n77);
if (n9 && n17) {
n79[n19] = vec4<f32>(n69, n72, n75, n78);
}
let n80 = (n51 * n65);
let n81 = n68[n43];
let n82 = (n80 * n81);
let n83 = (n52 * n65);
let n84 = n68[n45];
let n85 = (n83 * n84);
let n86 = (n53 * n65);
let n87 = n68[n47];
let n88 = (n86 * n87);
let n89 = (n54 * n65);
let n90 = n68[n49];
let n91 = (n89 * n90);
if (n9 && n39) {
n79[n41] = vec4<f32>(n82, n85, n88, n91);
}
}
// e6bac70e5ec4
@group(0) @binding(5) var<uniform> n0: n1;
// e804a7d0b3b8
@group(0) @binding(7) var<uniform> n0: array<vec4<u32>, 4>;
// e8db58a7d0e7
@group(0) @binding(2) var<storage, read_write> n0: array<f32>;
// e8ee2e91660c
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n15 = (n15 + select(f32(0), n30, n17));
n15 = (n15 + select(f32(0), n31, n17));
n15 = (n15 + select(f32(0), n32, n17));
n15 = (n15 + select(f32(0), n33, n17));
let n34 = subgroupAdd(n15);
let n35 = n34;
let n36 = n37(n35, n13);
var n38: f32 = f32(0);
let n39 = (n30 - n36);
let n40 = (n39 * n39);
n38 = (n38 + select(f32(0), n40, n17));
let n41 = (n31 - n36);
let n42 = (n41 * n41);
n38 = (n38 + select(f32(0), n42, n17));
let n43 = (n32 - n36);
let n44 = (n43 * n43);
n38 = (n38 + select(f32(0), n44, n17));
let n45 = (n33 - n36);
let n46 = (n45 * n45);
n38 = (n38 + select(f32(0), n46, n17));
let n47 = subgroupAdd(n38);
let n48 = n47;
let n49 = n37(n48, n13);
let n50 = (n49 + n14);
let n51 = sqrt(n50);
let n52 = n37(n39, n51);
let n53 = n37(n41, n51);
let n54 = n37(n43, n51);
let n55 = n37(n45, n51);
if (n9 && n17) {
n56[n19] = vec4<f32>(n52, n53, n54, n55);
}
}
// e90f8f457dfd
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 256u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n25[n15];
let n26 = n24.x;
let n27 = n24.y;
let n28 = n24.z;
let n29 = n24.w;
n13 = (n13 + n26);
n13 = (n13 + n27);
n13 = (n13 + n28);
n13 = (n13 + n29);
}
n30[n3] = n13;
workgroupBarrier();
for (var n31 = 128u; n31 > 0u; n31 >>= 1u) {
if (n7 < n31) { n30[n3] = (n30[n3] + n30[n3 + n31]); }
workgroupBarrier();
}
let n32 = n30[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n33[n10] = n32;
}
}
// e90f9d549572
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 / n5[1].x;
let n17 = (n10 - n16 * n5[1].x) + n16 * n5[0].w + n14 * n5[1].w;
let n18 = n19((n20[n17 >> 1u] >> ((n17 & 1u) << 4u)) & 0xffffu);
let n21 = n18;
let n22 = n19((n23[n17 >> 1u] >> ((n17 & 1u) << 4u)) & 0xffffu);
let n24 = n19((n25[n17 >> 1u] >> ((n17 & 1u) << 4u)) & 0xffffu);
let n26 = (n22 + n24);
let n27 = n26;
let n28 = n17 / n5[2].w;
let n29 = n28;
let n30 = n31[n29];
let n32 = (n27 * n30);
let n33 = (n21 * n32);
n13 = (n13 + n33);
}
let n34 = n13;
if (n7 == 0u && n9) {
n35[n10] = n34;
}
}
// e99a18b148a3
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = n14[n10];
let n15 = bitcast<f32>(n5[2].w);
let n16 = n17[n10];
let n18 = bitcast<f32>(n5[3].x);
let n19 = bitcast<f32>(n5[3].y);
var n20: f32 = f32(0);
let n21 = n7 + 0u;
let n22 = n21 < n11;
let n23 = min(n21, n11 - 1u);
let n24 = n12 + n23;
let n25 = 4u * n24 + 0u;
let n26 = 4u * n23 + 0u;
let n27 = 4u * n24 + 1u;
let n28 = 4u * n23 + 1u;
let n29 = 4u * n24 + 2u;
let n30 = 4u * n23 + 2u;
let n31 = 4u * n24 + 3u;
let n32 = 4u * n23 + 3u;
let n33 = vec4<f32>(n34[n24]);
let n35 = n33.x;
let n36 = n33.y;
let n37 = n33.z;
let n38 = n33.w;
let n39 = n35;
let n40 = f32(n41[n26]);
let n42 = n40;
let n43 = (n39 * n42);
let n44 = vec4<f32>(n45[n24]);
let n46 = n44.x;
let n47 = n44.y;
let n48 = n44.z;
let n49 = n44.w;
let n50 = n46;
let n51 = (n43 * n50);
n20 = (n20 + select(f32(0), n51, n22));
let n52 = n36;
let n53 = f32(n41[n28]);
let n54 = n53;
let n55 = (n52 * n54);
let n56 = n47;
let n57 = (n55 * n56);
n20 = (n20 + select(f32(0), n57, n22));
let n58 = n37;
let n59 = f32(n41[n30]);
let n60 = n59;
let n61 = (n58 * n60);
let n62 = n48;
let n63 = (n61 * n62);
n20 = (n20 + select(f32(0), n63, n22));
let n64 = n38;
let n65 = f32(n41[n32]);
let n66 = n65;
let n67 = (n64 * n66);
let n68 = n49;
let n69 = (n67 * n68);
n20 = (n20 + select(f32(0), n69, n22));
let n70 = n7 + 32u;
let n71 = n70 < n11;
let n72 = min(n70, n11 - 1u);
let n73 = n12 + n72;
let n74 = 4u * n73 + 0u;
let n75 = 4u * n72 + 0u;
let n76 = 4u * n73 + 1u;
let n77 = 4u * n72 + 1u;
let n78 = 4u * n73 + 2u;
let n79 = 4u * n72 + 2u;
let n80 = 4u * n73 + 3u;
let n81 = 4u * n72 + 3u;
let n82 = vec4<f32>(n34[n73]);
let n83 = n82.x;
let n84 = n82.y;
let n85 = n82.z;
let n86 = n82.w;
let n87 = n83;
let n88 = f32(n41[n75]);
let n89 = n88;
let n90 = (n87 * n89);
let n91 = vec4<f32>(n45[n73]);
let n92 = n91.x;
let n93 = n91.y;
let n94 = n91.z;
let n95 = n91.w;
let n96 = n92;
let n97 = (n90 * n96);
n20 = (n20 + select(f32(0), n97, n71));
let n98 = n84;
let n99 = f32(n41[n77]);
let n100 = n99;
let n101 = (n98 * n100);
let n102 = n93;
let n103 = (n101 * n102);
n20 = (n20 + select(f32(0), n103, n71));
let n104 = n85;
let n105 = f32(n41[n79]);
let n106 = n105;
let n107 = (n104 * n106);
let n108 = n94;
let n109 = (n107 * n108);
n20 = (n20 + select(f32(0), n109, n71));
let n110 = n86;
let n111 = f32(n41[n81]);
let n112 = n111;
let n113 = (n110 * n112);
let n114 = n95;
let n115 = (n113 * n114);
n20 = (n20 + select(f32(0), n115, n71));
let n116 = n7 + 64u;
let n117 = n116 < n11;
let n118 = min(n116, n11 - 1u);
let n119 = n12 + n118;
let n120 = 4u * n119 + 0u;
let n121 = 4u * n118 + 0u;
let n122 = 4u * n119 + 1u;
let n123 = 4u * n118 + 1u;
let n124 = 4u * n119 + 2u;
let n125 = 4u * n118 + 2u;
let n126 = 4u * n119 + 3u;
let n127 = 4u * n118 + 3u;
let n128 = vec4<f32>(n34[n119]);
let n129 = n128.x;
let n130 = n128.y;
let n131 = n128.z;
let n132 = n128.w;
let n133 = n129;
let n134 = f32(n41[n121]);
let n135 = n134;
let n136 = (n133 * n135);
let n137 = vec4<f32>(n45[n119]);
let n138 = n137.x;
let n139 = n137.y;
let n140 = n137.z;
let n141 = n137.w;
let n142 = n138;
let n143 = (n136 * n142);
n20 = (n20 + select(f32(0), n143, n117));
let n144 = n130;
let n145 = f32(n41[n123]);
let n146 = n145;
let n147 = (n144 * n146);
let n148 = n139;
let n149 = (n147 * n148);
n20 = (n20 + select(f32(0), n149, n117));
let n150 = n131;
let n151 = f32(n41[n125]);
let n152 = n151;
let n153 = (n150 * n152);
let n154 = n140;
let n155 = (n153 * n154);
n20 = (n20 + select(f32(0), n155, n117));
let n156 = n132;
let n157 = f32(n41[n127]);
let n158 = n157;
let n159 = (n156 * n158);
let n160 = n141;
let n161 = (n159 * n160);
n20 = (n20 + select(f32(0), n161, n117));
let n162 = n7 + 96u;
let n163 = n162 < n11;
let n164 = min(n162, n11 - 1u);
let n165 = n12 + n164;
let n166 = 4u * n165 + 0u;
let n167 = 4u * n164 + 0u;
let n168 = 4u * n165 + 1u;
let n169 = 4u * n164 + 1u;
let n170 = 4u * n165 + 2u;
let n171 = 4u * n164 + 2u;
let n172 = 4u * n165 + 3u;
let n173 = 4u * n164 + 3u;
let n174 = vec4<f32>(n34[n165]);
let n175 = n174.x;
let n176 = n174.y;
let n177 = n174.z;
let n178 = n174.w;
let n179 = n175;
let n180 = f32(n41[n167]);
let n181 = n180;
let n182 = (n179 * n181);
let n183 = vec4<f32>(n45[n165]);
let n184 = n183.x;
let n185 = n183.y;
let n186 = n183.z;
let n187 = n183.w;
let n188 = n184;
let n189 = (n182 * n188);
n20 = (n20 + select(f32(0), n189, n163));
let n190 = n176;
let n191 = f32(n41[n169]);
let n192 = n191;
let n193 = (n190 * n192);
let n194 = n185;
let n195 = (n193 * n194);
n20 = (n20 + select(f32(0), n195, n163));
let n196 = n177;
let n197 = f32(n41[n171]);
let n198 = n197;
let n199 = (n196 * n198);
let n200 = n186;
let n201 = (n199 * n200);
n20 = (n20 + select(f32(0), n201, n163));
let n202 = n178;
let n203 = f32(n41[n173]);
let n204 = n203;
let n205 = (n202 * n204);
let n206 = n187;
let n207 = (n205 * n206);
n20 = (n20 + select(f32(0), n207, n163));
let n208 = n7 + 128u;
let n209 = n208 < n11;
let n210 = min(n208, n11 - 1u);
let n211 = n12 + n210;
let n212 = 4u * n211 + 0u;
let n213 = 4u * n210 + 0u;
let n214 = 4u * n211 + 1u;
let n215 = 4u * n210 + 1u;
let n216 = 4u * n211 + 2u;
let n217 = 4u * n210 + 2u;
let n218 = 4u * n211 + 3u;
let n219 = 4u * n210 + 3u;
let n220 = vec4<f32>(n34[n211]);
let n221 = n220.x;
let n222 = n220.y;
let n223 = n220.z;
let n224 = n220.w;
let n225 = n221;
let n226 = f32(n41[n213]);
let n227 = n226;
let n228 = (n225 * n227);
let n229 = vec4<f32>(n45[n211]);
let n230 = n229.x;
let n231 = n229.y;
let n232 = n229.z;
let n233 = n229.w;
let n234 = n230;
let n235 = (n228 * n234);
n20 = (n20 + select(f32(0), n235, n209));
let n236 = n222;
let n237 = f32(n41[n215]);
let n238 = n237;
let n239 = (n236 * n238);
let n240 = n231;
let n241 = (n239 * n240);
n20 = (n20 + select(f32(0), n241, n209));
let n242 = n223;
let n243 = f32(n41[n217]);
let n244 = n243;
let n245 = (n242 * n244);
let n246 = n232;
let n247 = (n245 * n246);
n20 = (n20 + select(f32(0), n247, n209));
let n248 = n224;
let n249 = f32(n41[n219]);
let n250 = n249;
let n251 = (n248 * n250);
let n252 = n233;
let n253 = (n251 * n252);
n20 = (n20 + select(f32(0), n253, n209));
let n254 = n7 + 160u;
let n255 = n254 < n11;
let n256 = min(n254, n11 - 1u);
let n257 = n12 + n256;
let n258 = 4u * n257 + 0u;
let n259 = 4u * n256 + 0u;
let n260 = 4u * n257 + 1u;
let n261 = 4u * n256 + 1u;
let n262 = 4u * n257 + 2u;
let n263 = 4u * n256 + 2u;
let n264 = 4u * n257 + 3u;
let n265 = 4u * n256 + 3u;
let n266 = vec4<f32>(n34[n257]);
let n267 = n266.x;
let n268 = n266.y;
let n269 = n266.z;
let n270 = n266.w;
let n271 = n267;
let n272 = f32(n41[n259]);
let n273 = n272;
let n274 = (n271 * n273);
let n275 = vec4<f32>(n45[n257]);
let n276 = n275.x;
let n277 = n275.y;
let n278 = n275.z;
let n279 = n275.w;
let n280 = n276;
let n281 = (n274 * n280);
n20 = (n20 + select(f32(0), n281, n255));
let n282 = n268;
let n283 = f32(n41[n261]);
let n284 = n283;
let n285 = (n282 * n284);
let n286 = n277;
let n287 = (n285 * n286);
n20 = (n20 + select(f32(0), n287, n255));
let n288 = n269;
let n289 = f32(n41[n263]);
let n290 = n289;
let n291 = (n288 * n290);
let n292 = n278;
let n293 = (n291 * n292);
n20 = (n20 + select(f32(0), n293, n255));
let n294 = n270;
let n295 = f32(n41[n265]);
let n296 = n295;
let n297 = (n294 * n296);
let n298 = n279;
let n299 = (n297 * n298);
n20 = (n20 + select(f32(0), n299, n255));
let n300 = n7 + 192u;
let n301 = n300 < n11;
let n302 = min(n300, n11 - 1u);
let n303 = n12 + n302;
let n304 = 4u * n303 + 0u;
let n305 = 4u * n302 + 0u;
let n306 = 4u * n303 + 1u;
let n307 = 4u * n302 + 1u;
let n308 = 4u * n303 + 2u;
let n309 = 4u * n302 + 2u;
let n310 = 4u * n303 + 3u;
let n311 = 4u * n302 + 3u;
let n312 = vec4<f32>(n34[n303]);
let n313 = n312.x;
let n314 = n312.y;
let n315 = n312.z;
let n316 = n312.w;
let n317 = n313;
let n318 = f32(n41[n305]);
let n319 = n318;
let n320 = (n317 * n319);
let n321 = vec4<f32>(n45[n303]);
let n322 = n321.x;
let n323 = n321.y;
let n324 = n321.z;
let n325 = n321.w;
let n326 = n322;
let n327 = (n320 * n326);
n20 = (n20 + select(f32(0), n327, n301));
let n328 = n314;
let n329 = f32(n41[n307]);
let n330 = n329;
let n331 = (n328 * n330);
let n332 = n323;
let n333 = (n331 * n332);
n20 = (n20 + select(f32(0), n333, n301));
let n334 = n315;
let n335 = f32(n41[n309]);
let n336 = n335;
let n337 = (n334 * n336);
let n338 = n324;
let n339 = (n337 * n338);
n20 = (n20 + select(f32(0), n339, n301));
let n340 = n316;
let n341 = f32(n41[n311]);
let n342 = n341;
let n343 = (n340 * n342);
let n344 = n325;
let n345 = (n343 * n344);
n20 = (n20 + select(f32(0), n345, n301));
let n346 = n7 + 224u;
let n347 = n346 < n11;
let n348 = min(n346, n11 - 1u);
let n349 = n12 + n348;
let n350 = 4u * n349 + 0u;
let n351 = 4u * n348 + 0u;
let n352 = 4u * n349 + 1u;
let n353 = 4u * n348 + 1u;
let n354 = 4u * n349 + 2u;
let n355 = 4u * n348 + 2u;
let n356 = 4u * n349 + 3u;
let n357 = 4u * n348 + 3u;
let n358 = vec4<f32>(n34[n349]);
let n359 = n358.x;
let n360 = n358.y;
let n361 = n358.z;
let n362 = n358.w;
let n363 = n359;
let n364 = f32(n41[n351]);
let n365 = n364;
let n366 = (n363 * n365);
let n367 = vec4<f32>(n45[n349]);
let n368 = n367.x;
let n369 = n367.y;
let n370 = n367.z;
let n371 = n367.w;
let n372 = n368;
let n373 = (n366 * n372);
n20 = (n20 + select(f32(0), n373, n347));
let n374 = n360;
let n375 = f32(n41[n353]);
let n376 = n375;
let n377 = (n374 * n376);
let n378 = n369;
let n379 = (n377 * n378);
n20 = (n20 + select(f32(0), n379, n347));
let n380 = n361;
let n381 = f32(n41[n355]);
let n382 = n381;
let n383 = (n380 * n382);
let n384 = n370;
let n385 = (n383 * n384);
n20 = (n20 + select(f32(0), n385, n347));
let n386 = n362;
let n387 = f32(n41[n357]);
let n388 = n387;
let n389 = (n386 * n388);
let n390 = n371;
let n391 = (n389 * n390);
n20 = (n20 + select(f32(0), n391, n347));
let n392 = subgroupAdd(n20);
let n393 = n392;
let n394 = (n393 * n15);
let n395 = (n394 * n13);
let n396 = (n395 * n16);
let n397 = n398(n396, n18);
let n399 = (n397 * n19);
let n400 = vec4<f32>(n401[n24]);
let n402 = n400.x;
let n403 = n400.y;
let n404 = n400.z;
let n405 = n400.w;
let n406 = (n43 * n13);
let n407 = (n399 * n50);
let n408 = (n406 + n407);
let n409 = n410(n411(n408));
let n412 = (n402 + n409);
let n413 = (n55 * n13);
let n414 = (n399 * n56);
let n415 = (n413 + n414);
let n416 = n410(n411(n415));
let n417 = (n403 + n416);
let n418 = (n61 * n13);
let n419 = (n399 * n62);
let n420 = (n418 + n419);
let n421 = n410(n411(n420));
let n422 = (n404 + n421);
let n423 = (n67 * n13);
let n424 = (n399 * n68);
let n425 = (n423 + n424);
let n426 = n410(n411(n425));
let n427 = (n405 + n426);
if (n9 && n22) {
n428[n24] = vec4<f16>(vec4<f32>(n412, n417, n422, n427));
}
let n429 = vec4<f32>(n401[n73]);
let n430 = n429.x;
let n431 = n429.y;
let n432 = n429.z;
let n433 = n429.w;
let n434 = (n90 * n13);
let n435 = (n399 * n96);
let n436 = (n434 + n435);
let n437 = n410(n411(n436));
let n438 = (n430 + n437);
let n439 = (n101 * n13);
let n440 = (n399 * n102);
let n441 = (n439 + n440);
let n442 = n410(n411(n441));
let n443 = (n431 + n442);
let n444 = (n107 * n13);
let n445 = (n399 * n108);
let n446 = (n444 + n445);
let n447 = n410(n411(n446));
let n448 = (n432 + n447);
let n449 = (n113 * n13);
let n450 = (n399 * n114);
let n451 = (n449 + n450);
let n452 = n410(n411(n451));
let n453 = (n433 + n452);
if (n9 && n71) {
n428[n73] = vec4<f16>(vec4<f32>(n438, n443, n448, n453));
}
let n454 = vec4<f32>(n401[n119]);
let n455 = n454.x;
let n456 = n454.y;
let n457 = n454.z;
let n458 = n454.w;
let n459 = (n136 * n13);
let n460 = (n399 * n142);
let n461 = (n459 + n460);
let n462 = n410(n411(n461));
let n463 = (n455 + n462);
let n464 = (n147 * n13);
let n465 = (n399 * n148);
let n466 = (n464 + n465);
let n467 = n410(n411(n466));
let n468 = (n456 + n467);
let n469 = (n153 * n13);
let n470 = (n399 * n154);
let n471 = (n469 + n470);
let n472 = n410(n411(n471));
let n473 = (n457 + n472);
let n474 = (n159 * n13);
let n475 = (n399 * n160);
let n476 = (n474 + n475);
let n477 = n410(n411(n476));
let n478 = (n458 + n477);
if (n9 && n117) {
n428[n119] = vec4<f16>(vec4<f32>(n463, n468, n473, n478));
}
let n479 = vec4<f32>(n401[n165]);
let n480 = n479.x;
let n481 = n479.y;
let n482 = n479.z;
let n483 = n479.w;
let n484 = (n182 * n13);
let n485 = (n399 * n188);
let n486 = (n484 + n485);
let n487 = n410(n411(n486));
let n488 = (n480 + n487);
let n489 = (n193 * n13);
let n490 = (n399 * n194);
let n491 = (n489 + n490);
let n492 = n410(n411(n491));
let n493 = (n481 + n492);
let n494 = (n199 * n13);
let n495 = (n399 * n200);
let n496 = (n494 + n495);
let n497 = n410(n411(n496));
let n498 = (n482 + n497);
let n499 = (n205 * n13);
let n500 = (n399 * n206);
let n501 = (n499 + n500);
let n502 = n410(n411(n501));
let n503 = (n483 + n502);
if (n9 && n163) {
n428[n165] = vec4<f16>(vec4<f32>(n488, n493, n498, n503));
}
let n504 = vec4<f32>(n401[n211]);
let n505 = n504.x;
let n506 = n504.y;
let n507 = n504.z;
let n508 = n504.w;
let n509 = (n228 * n13);
let n510 = (n399 * n234);
let n511 = (n509 + n510);
let n512 = n410(n411(n511));
let n513 = (n505 + n512);
let n514 = (n239 * n13);
let n515 = (n399 * n240);
let n516 = (n514 + n515);
let n517 = n410(n411(n516));
let n518 = (n506 + n517);
let n519 = (n245 * n13);
let n520 = (n399 * n246);
let n521 = (n519 + n520);
let n522 = n410(n411(n521));
let n523 = (n507 + n522);
let n524 = (n251 * n13);
let n525 = (n399 * n252);
let n526 = (n524 + n525);
let n527 = n410(n411(n526));
let n528 = (n508 + n527);
if (n9 && n209) {
n428[n211] = vec4<f16>(vec4<f32>(n513, n518, n523, n528));
}
let n529 = vec4<f32>(n401[n257]);
let n530 = n529.x;
let n531 = n529.y;
let n532 = n529.z;
let n533 = n529.w;
let n534 = (n274 * n13);
let n535 = (n399 * n280);
let n536 = (n534 + n535);
let n537 = n410(n411(n536));
let n538 = (n530 + n537);
let n539 = (n285 * n13);
let n540 = (n399 * n286);
let n541 = (n539 + n540);
let n542 = n410(n411(n541));
let n543 = (n531 + n542);
let n544 = (n291 * n13);
let n545 = (n399 * n292);
let n546 = (n544 + n545);
let n547 = n410(n411(n546));
let n548 = (n532 + n547);
let n549 = (n297 * n13);
let n550 = (n399 * n298);
let n551 = (n549 + n550);
let n552 = n410(n411(n551));
let n553 = (n533 + n552);
if (n9 && n255) {
n428[n257] = vec4<f16>(vec4<f32>(n538, n543, n548, n553));
}
let n554 = vec4<f32>(n401[n303]);
let n555 = n554.x;
let n556 = n554.y;
let n557 = n554.z;
let n558 = n554.w;
let n559 = (n320 * n13);
let n560 = (n399 * n326);
let n561 = (n559 + n560);
let n562 = n410(n411(n561));
let n563 = (n555 + n562);
let n564 = (n331 * n13);
let n565 = (n399 * n332);
let n566 = (n564 + n565);
let n567 = n410(n411(n566));
let n568 = (n556 + n567);
let n569 = (n337 * n13);
let n570 = (n399 * n338);
let n571 = (n569 + n570);
let n572 = n410(n411(n571));
let n573 = (n557 + n572);
let n574 = (n343 * n13);
let n575 = (n399 * n344);
let n576 = (n574 + n575);
let n577 = n410(n411(n576));
let n578 = (n558 + n577);
if (n9 && n301) {
n428[n303] = vec4<f16>(vec4<f32>(n563, n568, n573, n578));
}
let n579 = vec4<f32>(n401[n349]);
let n580 = n579.x;
let n581 = n579.y;
let n582 = n579.z;
let n583 = n579.w;
let n584 = (n366 * n13);
let n585 = (n399 * n372);
let n586 = (n584 + n585);
let n587 = n410(n411(n586));
let n588 = (n580 + n587);
let n589 = (n377 * n13);
let n590 = (n399 * n378);
let n591 = (n589 + n590);
let n592 = n410(n411(n591));
let n593 = (n581 + n592);
let n594 = (n383 * n13);
let n595 = (n399 * n384);
let n596 = (n594 + n595);
let n597 = n410(n411(n596));
let n598 = (n582 + n597);
let n599 = (n389 * n13);
let n600 = (n399 * n390);
let n601 = (n599 + n600);
let n602 = n410(n411(n601));
let n603 = (n583 + n602);
if (n9 && n347) {
n428[n349] = vec4<f16>(vec4<f32>(n588, n593, n598, n603));
}
}
// ea0207347a6c
fn n0(n1: n2, n3: n2) -> n2 {
let n4 = n1.x + n3.x;
return vec2<u32>(n4, n1.y + n3.y + select(0u, 1u, n4 < n1.x));
}
// ea7d7ab53451
@group(0) @binding(3) var<storage, read> n0: array<f32>;
// eafa2e78770b
@group(0) @binding(7) var<uniform> n0: n1;
// eb1d1f82737f
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[1].w + n3) >> 2u;
let n9 = n10(n7);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// eb7de179f26e
@group(0) @binding(13) var<storage, read> n0: array<f32>;
// ec1ddf4105fb
@group(0) @binding(1) var<storage, read> n0: array<vec4<f16>>;
// ec86869f21f5
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9(n4, n3[3].y, n3[3].z, n3[3].w, n3[4].x);
let n10 = n3[4].y;
let n11 = n12(n8, n10);
let n13 = n14(n11);
let n15 = bitcast<f32>(n3[4].z);
let n16 = (n13 * n15);
let n17 = bitcast<f32>(n3[4].w);
let n18 = bitcast<f32>(n3[5].x);
let n19 = (n17 - n18);
let n20 = (n16 * n19);
let n21 = (n20 + n18);
let n22 = n9(n4, n3[5].y, n3[5].z, n3[5].w, n3[6].x);
let n23 = n12(n22, n10);
let n24 = n14(n23);
let n25 = (n24 * n15);
let n26 = (n25 * n19);
let n27 = (n26 + n18);
let n28 = (n21 - n27);
let n29 = n9(n5, n3[3].y, n3[3].z, n3[3].w, n3[4].x);
let n30 = n12(n29, n10);
let n31 = n14(n30);
let n32 = (n31 * n15);
let n33 = (n32 * n19);
let n34 = (n33 + n18);
let n35 = n9(n5, n3[5].y, n3[5].z, n3[5].w, n3[6].x);
let n36 = n12(n35, n10);
let n37 = n14(n36);
let n38 = (n37 * n15);
let n39 = (n38 * n19);
let n40 = (n39 + n18);
let n41 = (n34 - n40);
let n42 = n9(n6, n3[3].y, n3[3].z, n3[3].w, n3[4].x);
let n43 = n12(n42, n10);
let n44 = n14(n43);
let n45 = (n44 * n15);
let n46 = (n45 * n19);
let n47 = (n46 + n18);
let n48 = n9(n6, n3[5].y, n3[5].z, n3[5].w, n3[6].x);
let n49 = n12(n48, n10);
let n50 = n14(n49);
let n51 = (n50 * n15);
let n52 = (n51 * n19);
let n53 = (n52 + n18);
let n54 = (n47 - n53);
let n55 = n9(n7, n3[3].y, n3[3].z, n3[3].w, n3[4].x);
let n56 = n12(n55, n10);
let n57 = n14(n56);
let n58 = (n57 * n15);
let n59 = (n58 * n19);
let n60 = (n59 + n18);
let n61 = n9(n7, n3[5].y, n3[5].z, n3[5].w, n3[6].x);
let n62 = n12(n61, n10);
let n63 = n14(n62);
let n64 = (n63 * n15);
let n65 = (n64 * n19);
let n66 = (n65 + n18);
let n67 = (n60 - n66);
n68[n1] = vec4<f32>(n28, n41, n54, n67);
}
// ecd8648a9d1a
@group(0) @binding(2) var<uniform> n0: array<vec4<u32>, 2>;
// eea91635d08e
fn n0(n1: u32, n2: u32) -> n3 { return coopLoadT<n3>(&n4[n1 * n5 + n2 / 4u], n5); }
// eedc59d2abcf
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = (n30 * n30);
n15 = (n15 + select(f32(0), n34, n17));
let n35 = (n31 * n31);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = (n32 * n32);
n15 = (n15 + select(f32(0), n36, n17));
let n37 = (n33 * n33);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n7 + 32u;
let n39 = n38 < n11;
let n40 = min(n38, n11 - 1u);
let n41 = n12 + n40;
let n42 = 4u * n41 + 0u;
let n43 = 4u * n40 + 0u;
let n44 = 4u * n41 + 1u;
let n45 = 4u * n40 + 1u;
let n46 = 4u * n41 + 2u;
let n47 = 4u * n40 + 2u;
let n48 = 4u * n41 + 3u;
let n49 = 4u * n40 + 3u;
let n50 = n29[n41];
let n51 = n50.x;
let n52 = n50.y;
let n53 = n50.z;
let n54 = n50.w;
let n55 = (n51 * n51);
n15 = (n15 + select(f32(0), n55, n39));
let n56 = (n52 * n52);
n15 = (n15 + select(f32(0), n56, n39));
let n57 = (n53 * n53);
n15 = (n15 + select(f32(0), n57, n39));
let n58 = (n54 * n54);
n15 = (n15 + select(f32(0), n58, n39));
let n59 = n7 + 64u;
let n60 = n59 < n11;
let n61 = min(n59, n11 - 1u);
let n62 = n12 + n61;
let n63 = 4u * n62 + 0u;
let n64 = 4u * n61 + 0u;
let n65 = 4u * n62 + 1u;
let n66 = 4u * n61 + 1u;
let n67 = 4u * n62 + 2u;
let n68 = 4u * n61 + 2u;
let n69 = 4u * n62 + 3u;
let n70 = 4u * n61 + 3u;
let n71 = n29[n62];
let n72 = n71.x;
let n73 = n71.y;
let n74 = n71.z;
let n75 = n71.w;
let n76 = (n72 * n72);
n15 = (n15 + select(f32(0), n76, n60));
let n77 = (n73 * n73);
n15 = (n15 + select(f32(0), n77, n60));
let n78 = (n74 * n74);
n15 = (n15 + select(f32(0), n78, n60));
let n79 = (n75 * n75);
n15 = (n15 + select(f32(0), n79, n60));
let n80 = n7 + 96u;
let n81 = n80 < n11;
let n82 = min(n80, n11 - 1u);
let n83 = n12 + n82;
let n84 = 4u * n83 + 0u;
let n85 = 4u * n82 + 0u;
let n86 = 4u * n83 + 1u;
let n87 = 4u * n82 + 1u;
let n88 = 4u * n83 + 2u;
let n89 = 4u * n82 + 2u;
let n90 = 4u * n83 + 3u;
let n91 = 4u * n82 + 3u;
let n92 = n29[n83];
let n93 = n92.x;
let n94 = n92.y;
let n95 = n92.z;
let n96 = n92.w;
let n97 = (n93 * n93);
n15 = (n15 + select(f32(0), n97, n81));
let n98 = (n94 * n94);
n15 = (n15 + select(f32(0), n98, n81));
let n99 = (n95 * n95);
n15 = (n15 + select(f32(0), n99, n81));
let n100 = (n96 * n96);
n15 = (n15 + select(f32(0), n100, n81));
let n101 = n7 + 128u;
let n102 = n101 < n11;
let n103 = min(n101, n11 - 1u);
let n104 = n12 + n103;
let n105 = 4u * n104 + 0u;
let n106 = 4u * n103 + 0u;
let n107 = 4u * n104 + 1u;
let n108 = 4u * n103 + 1u;
let n109 = 4u * n104 + 2u;
let n110 = 4u * n103 + 2u;
let n111 = 4u * n104 + 3u;
let n112 = 4u * n103 + 3u;
let n113 = n29[n104];
let n114 = n113.x;
let n115 = n113.y;
let n116 = n113.z;
let n117 = n113.w;
let n118 = (n114 * n114);
n15 = (n15 + select(f32(0), n118, n102));
let n119 = (n115 * n115);
n15 = (n15 + select(f32(0), n119, n102));
let n120 = (n116 * n116);
n15 = (n15 + select(f32(0), n120, n102));
let n121 = (n117 * n117);
n15 = (n15 + select(f32(0), n121, n102));
let n122 = n7 + 160u;
let n123 = n122 < n11;
let n124 = min(n122, n11 - 1u);
let n125 = n12 + n124;
let n126 = 4u * n125 + 0u;
let n127 = 4u * n124 + 0u;
let n128 = 4u * n125 + 1u;
let n129 = 4u * n124 + 1u;
let n130 = 4u * n125 + 2u;
let n131 = 4u * n124 + 2u;
let n132 = 4u * n125 + 3u;
let n133 = 4u * n124 + 3u;
let n134 = n29[n125];
let n135 = n134.x;
let n136 = n134.y;
let n137 = n134.z;
let n138 = n134.w;
let n139 = (n135 * n135);
n15 = (n15 + select(f32(0), n139, n123));
let n140 = (n136 * n136);
n15 = (n15 + select(f32(0), n140, n123));
let n141 = (n137 * n137);
n15 = (n15 + select(f32(0), n141, n123));
let n142 = (n138 * n138);
n15 = (n15 + select(f32(0), n142, n123));
let n143 = n7 + 192u;
let n144 = n143 < n11;
let n145 = min(n143, n11 - 1u);
let n146 = n12 + n145;
let n147 = 4u * n146 + 0u;
let n148 = 4u * n145 + 0u;
let n149 = 4u * n146 + 1u;
let n150 = 4u * n145 + 1u;
let n151 = 4u * n146 + 2u;
let n152 = 4u * n145 + 2u;
let n153 = 4u * n146 + 3u;
let n154 = 4u * n145 + 3u;
let n155 = n29[n146];
let n156 = n155.x;
let n157 = n155.y;
let n158 = n155.z;
let n159 = n155.w;
let n160 = (n156 * n156);
n15 = (n15 + select(f32(0), n160, n144));
let n161 = (n157 * n157);
n15 = (n15 + select(f32(0), n161, n144));
let n162 = (n158 * n158);
n15 = (n15 + select(f32(0), n162, n144));
let n163 = (n159 * n159);
n15 = (n15 + select(f32(0), n163, n144));
let n164 = n7 + 224u;
let n165 = n164 < n11;
let n166 = min(n164, n11 - 1u);
let n167 = n12 + n166;
let n168 = 4u * n167 + 0u;
let n169 = 4u * n166 + 0u;
let n170 = 4u * n167 + 1u;
let n171 = 4u * n166 + 1u;
let n172 = 4u * n167 + 2u;
let n173 = 4u * n166 + 2u;
let n174 = 4u * n167 + 3u;
let n175 = 4u * n166 + 3u;
let n176 = n29[n167];
let n177 = n176.x;
let n178 = n176.y;
let n179 = n176.z;
let n180 = n176.w;
let n181 = (n177 * n177);
n15 = (n15 + select(f32(0), n181, n165));
let n182 = (n178 * n178);
n15 = (n15 + select(f32(0), n182, n165));
let n183 = (n179 * n179);
n15 = (n15 + select(f32(0), n183, n165));
let n184 = (n180 * n180);
n15 = (n15 + select(f32(0), n184, n165));
let n185 = subgroupAdd(n15);
let n186 = n185;
let n187 = n188(n186, n13);
let n189 = (n187 + n14);
let n190 = inverseSqrt(n189);
let n191 = (n30 * n190);
let n192 = n193[n21];
let n194 = (n191 * n192);
let n195 = (n31 * n190);
let n196 = n193[n23];
let n197 = (n195 * n196);
let n198 = (n32 * n190);
let n199 = n193[n25];
let n200 = (n198 * n199);
let n201 = (n33 * n190);
let n202 = n193[n27];
let n203 = (n201 * n202);
if (n9 && n17) {
n204[n19] = vec4<f32>(n194, n197, n200, n203);
}
let n205 = (n51 * n190);
let n206 = n193[n43];
let n207 = (n205 * n206);
let n208 = (n52 * n190);
let n209 = n193[n45];
let n210 = (n208 * n209);
let n211 = (n53 * n190);
let n212 = n193[n47];
let n213 = (n211 * n212);
let n214 = (n54 * n190);
let n215 = n193[n49];
let n216 = (n214 * n215);
if (n9 && n39) {
n204[n41] = vec4<f32>(n207, n210, n213, n216);
}
let n217 = (n72 * n190);
let n218 = n193[n64];
let n219 = (n217 * n218);
let n220 = (n73 * n190);
let n221 = n193[n66];
let n222 = (n220 * n221);
let n223 = (n74 * n190);
let n224 = n193[n68];
let n225 = (n223 * n224);
let n226 = (n75 * n190);
let n227 = n193[n70];
let n228 = (n226 * n227);
if (n9 && n60) {
n204[n62] = vec4<f32>(n219, n222, n225, n228);
}
let n229 = (n93 * n190);
let n230 = n193[n85];
let n231 = (n229 * n230);
let n232 = (n94 * n190);
let n233 = n193[n87];
let n234 = (n232 * n233);
let n235 = (n95 * n190);
let n236 = n193[n89];
let n237 = (n235 * n236);
let n238 = (n96 * n190);
let n239 = n193[n91];
let n240 = (n238 * n239);
if (n9 && n81) {
n204[n83] = vec4<f32>(n231, n234, n237, n240);
}
let n241 = (n114 * n190);
let n242 = n193[n106];
let n243 = (n241 * n242);
let n244 = (n115 * n190);
let n245 = n193[n108];
let n246 = (n244 * n245);
let n247 = (n116 * n190);
let n248 = n193[n110];
let n249 = (n247 * n248);
let n250 = (n117 * n190);
let n251 = n193[n112];
let n252 = (n250 * n251);
if (n9 && n102) {
n204[n104] = vec4<f32>(n243, n246, n249, n252);
}
let n253 = (n135 * n190);
let n254 = n193[n127];
let n255 = (n253 * n254);
let n256 = (n136 * n190);
let n257 = n193[n129];
let n258 = (n256 * n257);
let n259 = (n137 * n190);
let n260 = n193[n131];
let n261 = (n259 * n260);
let n262 = (n138 * n190);
let n263 = n193[n133];
let n264 = (n262 * n263);
if (n9 && n123) {
n204[n125] = vec4<f32>(n255, n258, n261, n264);
}
let n265 = (n156 * n190);
let n266 = n193[n148];
let n267 = (n265 * n266);
let n268 = (n157 * n190);
let n269 = n193[n150];
let n270 = (n268 * n269);
let n271 = (n158 * n190);
let n272 = n193[n152];
let n273 = (n271 * n272);
let n274 = (n159 * n190);
let n275 = n193[n154];
let n276 = (n274 * n275);
if (n9 && n144) {
n204[n146] = vec4<f32>(n267, n270, n273, n276);
}
let n277 = (n177 * n190);
let n278 = n193[n169];
let n279 = (n277 * n278);
let n280 = (n178 * n190);
let n281 = n193[n171];
let n282 = (n280 * n281);
let n283 = (n179 * n190);
let n284 = n193[n173];
let n285 = (n283 * n284);
let n286 = (n180 * n190);
let n287 = n193[n175];
let n288 = (n286 * n287);
if (n9 && n165) {
n204[n167] = vec4<f32>(n279, n282, n285, n288);
}
}
// ef2eb72d8681
struct n0 { n1: u32, n2: u32, n3: u32, n4: u32, }
// efa97434218d
fn n0(z: u32) -> n1 {
var n2: n1;
{ var n3 = z;
n2.n4 = n5[7].y;
}
{ var n3 = z;
n2.n6 = n5[9].x;
}
return n2;
}
// effb1d6f7677
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 22>;
// f004e2ad8d6c
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 / n3[1].x;
let n9 = n4 - n8 * n3[1].x - n3[1].y;
let n10 = n8 - n3[0].z;
let n11 = n9 < n3[1].z && n10 < n3[0].w;
let n12 = select(0u, n9 + n10 * n3[1].z, n11);
let n13 = n14[n12];
let n15 = bitcast<f32>(n3[4].x);
let n16 = select(n15, n13, n11);
let n17 = n4 / n3[3].y;
let n18 = n4 - n17 * n3[3].y - n3[3].z;
let n19 = n17 - n3[2].w;
let n20 = n18 < n3[3].w && n19 < n3[3].x;
let n21 = select(0u, n18 + n19 * n3[3].w, n20);
let n22 = n23[n21];
let n24 = select(n15, n22, n20);
let n25 = (n16 + n24);
let n26 = n5 / n3[1].x;
let n27 = n5 - n26 * n3[1].x - n3[1].y;
let n28 = n26 - n3[0].z;
let n29 = n27 < n3[1].z && n28 < n3[0].w;
let n30 = select(0u, n27 + n28 * n3[1].z, n29);
let n31 = n14[n30];
let n32 = select(n15, n31, n29);
let n33 = n5 / n3[3].y;
let n34 = n5 - n33 * n3[3].y - n3[3].z;
let n35 = n33 - n3[2].w;
let n36 = n34 < n3[3].w && n35 < n3[3].x;
let n37 = select(0u, n34 + n35 * n3[3].w, n36);
let n38 = n23[n37];
let n39 = select(n15, n38, n36);
let n40 = (n32 + n39);
let n41 = n6 / n3[1].x;
let n42 = n6 - n41 * n3[1].x - n3[1].y;
let n43 = n41 - n3[0].z;
let n44 = n42 < n3[1].z && n43 < n3[0].w;
let n45 = select(0u, n42 + n43 * n3[1].z, n44);
let n46 = n14[n45];
let n47 = select(n15, n46, n44);
let n48 = n6 / n3[3].y;
let n49 = n6 - n48 * n3[3].y - n3[3].z;
let n50 = n48 - n3[2].w;
let n51 = n49 < n3[3].w && n50 < n3[3].x;
let n52 = select(0u, n49 + n50 * n3[3].w, n51);
let n53 = n23[n52];
let n54 = select(n15, n53, n51);
let n55 = (n47 + n54);
let n56 = n7 / n3[1].x;
let n57 = n7 - n56 * n3[1].x - n3[1].y;
let n58 = n56 - n3[0].z;
let n59 = n57 < n3[1].z && n58 < n3[0].w;
let n60 = select(0u, n57 + n58 * n3[1].z, n59);
let n61 = n14[n60];
let n62 = select(n15, n61, n59);
let n63 = n7 / n3[3].y;
let n64 = n7 - n63 * n3[3].y - n3[3].z;
let n65 = n63 - n3[2].w;
let n66 = n64 < n3[3].w && n65 < n3[3].x;
let n67 = select(0u, n64 + n65 * n3[3].w, n66);
let n68 = n23[n67];
let n69 = select(n15, n68, n66);
let n70 = (n62 + n69);
n71[n1] = vec4<f32>(n25, n40, n55, n70);
}
// f0dd31e8a527
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 32u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 32u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[2].x);
let n14 = bitcast<f32>(n5[2].y);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = n30;
let n35 = (n34 * n34);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n32;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n33;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = n7 + 32u;
let n43 = n42 < n11;
let n44 = min(n42, n11 - 1u);
let n45 = n12 + n44;
let n46 = 4u * n45 + 0u;
let n47 = 4u * n44 + 0u;
let n48 = 4u * n45 + 1u;
let n49 = 4u * n44 + 1u;
let n50 = 4u * n45 + 2u;
let n51 = 4u * n44 + 2u;
let n52 = 4u * n45 + 3u;
let n53 = 4u * n44 + 3u;
let n54 = vec4<f32>(n29[n45]);
let n55 = n54.x;
let n56 = n54.y;
let n57 = n54.z;
let n58 = n54.w;
let n59 = n55;
let n60 = (n59 * n59);
n15 = (n15 + select(f32(0), n60, n43));
let n61 = n56;
let n62 = (n61 * n61);
n15 = (n15 + select(f32(0), n62, n43));
let n63 = n57;
let n64 = (n63 * n63);
n15 = (n15 + select(f32(0), n64, n43));
let n65 = n58;
let n66 = (n65 * n65);
n15 = (n15 + select(f32(0), n66, n43));
let n67 = n7 + 64u;
let n68 = n67 < n11;
let n69 = min(n67, n11 - 1u);
let n70 = n12 + n69;
let n71 = 4u * n70 + 0u;
let n72 = 4u * n69 + 0u;
let n73 = 4u * n70 + 1u;
let n74 = 4u * n69 + 1u;
let n75 = 4u * n70 + 2u;
let n76 = 4u * n69 + 2u;
let n77 = 4u * n70 + 3u;
let n78 = 4u * n69 + 3u;
let n79 = vec4<f32>(n29[n70]);
let n80 = n79.x;
let n81 = n79.y;
let n82 = n79.z;
let n83 = n79.w;
let n84 = n80;
let n85 = (n84 * n84);
n15 = (n15 + select(f32(0), n85, n68));
let n86 = n81;
let n87 = (n86 * n86);
n15 = (n15 + select(f32(0), n87, n68));
let n88 = n82;
let n89 = (n88 * n88);
n15 = (n15 + select(f32(0), n89, n68));
let n90 = n83;
let n91 = (n90 * n90);
n15 = (n15 + select(f32(0), n91, n68));
let n92 = n7 + 96u;
let n93 = n92 < n11;
let n94 = min(n92, n11 - 1u);
let n95 = n12 + n94;
let n96 = 4u * n95 + 0u;
let n97 = 4u * n94 + 0u;
let n98 = 4u * n95 + 1u;
let n99 = 4u * n94 + 1u;
let n100 = 4u * n95 + 2u;
let n101 = 4u * n94 + 2u;
let n102 = 4u * n95 + 3u;
let n103 = 4u * n94 + 3u;
let n104 = vec4<f32>(n29[n95]);
let n105 = n104.x;
let n106 = n104.y;
let n107 = n104.z;
let n108 = n104.w;
let n109 = n105;
let n110 = (n109 * n109);
n15 = (n15 + select(f32(0), n110, n93));
let n111 = n106;
let n112 = (n111 * n111);
n15 = (n15 + select(f32(0), n112, n93));
let n113 = n107;
let n114 = (n113 * n113);
n15 = (n15 + select(f32(0), n114, n93));
let n115 = n108;
let n116 = (n115 * n115);
n15 = (n15 + select(f32(0), n116, n93));
let n117 = n7 + 128u;
let n118 = n117 < n11;
let n119 = min(n117, n11 - 1u);
let n120 = n12 + n119;
let n121 = 4u * n120 + 0u;
let n122 = 4u * n119 + 0u;
let n123 = 4u * n120 + 1u;
let n124 = 4u * n119 + 1u;
let n125 = 4u * n120 + 2u;
let n126 = 4u * n119 + 2u;
let n127 = 4u * n120 + 3u;
let n128 = 4u * n119 + 3u;
let n129 = vec4<f32>(n29[n120]);
let n130 = n129.x;
let n131 = n129.y;
let n132 = n129.z;
let n133 = n129.w;
let n134 = n130;
let n135 = (n134 * n134);
n15 = (n15 + select(f32(0), n135, n118));
let n136 = n131;
let n137 = (n136 * n136);
n15 = (n15 + select(f32(0), n137, n118));
let n138 = n132;
let n139 = (n138 * n138);
n15 = (n15 + select(f32(0), n139, n118));
let n140 = n133;
let n141 = (n140 * n140);
n15 = (n15 + select(f32(0), n141, n118));
let n142 = n7 + 160u;
let n143 = n142 < n11;
let n144 = min(n142, n11 - 1u);
let n145 = n12 + n144;
let n146 = 4u * n145 + 0u;
let n147 = 4u * n144 + 0u;
let n148 = 4u * n145 + 1u;
let n149 = 4u * n144 + 1u;
let n150 = 4u * n145 + 2u;
let n151 = 4u * n144 + 2u;
let n152 = 4u * n145 + 3u;
let n153 = 4u * n144 + 3u;
let n154 = vec4<f32>(n29[n145]);
let n155 = n154.x;
let n156 = n154.y;
let n157 = n154.z;
let n158 = n154.w;
let n159 = n155;
let n160 = (n159 * n159);
n15 = (n15 + select(f32(0), n160, n143));
let n161 = n156;
let n162 = (n161 * n161);
n15 = (n15 + select(f32(0), n162, n143));
let n163 = n157;
let n164 = (n163 * n163);
n15 = (n15 + select(f32(0), n164, n143));
let n165 = n158;
let n166 = (n165 * n165);
n15 = (n15 + select(f32(0), n166, n143));
let n167 = n7 + 192u;
let n168 = n167 < n11;
let n169 = min(n167, n11 - 1u);
let n170 = n12 + n169;
let n171 = 4u * n170 + 0u;
let n172 = 4u * n169 + 0u;
let n173 = 4u * n170 + 1u;
let n174 = 4u * n169 + 1u;
let n175 = 4u * n170 + 2u;
let n176 = 4u * n169 + 2u;
let n177 = 4u * n170 + 3u;
let n178 = 4u * n169 + 3u;
let n179 = vec4<f32>(n29[n170]);
let n180 = n179.x;
let n181 = n179.y;
let n182 = n179.z;
let n183 = n179.w;
let n184 = n180;
let n185 = (n184 * n184);
n15 = (n15 + select(f32(0), n185, n168));
let n186 = n181;
let n187 = (n186 * n186);
n15 = (n15 + select(f32(0), n187, n168));
let n188 = n182;
let n189 = (n188 * n188);
n15 = (n15 + select(f32(0), n189, n168));
let n190 = n183;
let n191 = (n190 * n190);
n15 = (n15 + select(f32(0), n191, n168));
let n192 = n7 + 224u;
let n193 = n192 < n11;
let n194 = min(n192, n11 - 1u);
let n195 = n12 + n194;
let n196 = 4u * n195 + 0u;
let n197 = 4u * n194 + 0u;
let n198 = 4u * n195 + 1u;
let n199 = 4u * n194 + 1u;
let n200 = 4u * n195 + 2u;
let n201 = 4u * n194 + 2u;
let n202 = 4u * n195 + 3u;
let n203 = 4u * n194 + 3u;
let n204 = vec4<f32>(n29[n195]);
let n205 = n204.x;
let n206 = n204.y;
let n207 = n204.z;
let n208 = n204.w;
let n209 = n205;
let n210 = (n209 * n209);
n15 = (n15 + select(f32(0), n210, n193));
let n211 = n206;
let n212 = (n211 * n211);
n15 = (n15 + select(f32(0), n212, n193));
let n213 = n207;
let n214 = (n213 * n213);
n15 = (n15 + select(f32(0), n214, n193));
let n215 = n208;
let n216 = (n215 * n215);
n15 = (n15 + select(f32(0), n216, n193));
let n217 = subgroupAdd(n15);
let n218 = n217;
let n219 = n220(n218, n13);
let n221 = (n219 + n14);
let n222 = inverseSqrt(n221);
let n223 = (n222 * n222);
let n224 = (n34 * n222);
let n225 = f32(n226[n21]);
let n227 = n225;
let n228 = (n224 * n227);
let n229 = n228;
let n230 = (n36 * n222);
let n231 = f32(n226[n23]);
let n232 = n231;
let n233 = (n230 * n232);
let n234 = n233;
let n235 = (n38 * n222);
let n236 = f32(n226[n25]);
let n237 = n236;
let n238 = (n235 * n237);
let n239 = n238;
let n240 = (n40 * n222);
let n241 = f32(n226[n27]);
let n242 = n241;
let n243 = (n240 * n242);
let n244 = n243;
if (n9 && n17) {
n245[n19] = vec4<f16>(vec4<f32>(n229, n234, n239, n244));
}
let n246 = (n59 * n222);
let n247 = f32(n226[n47]);
let n248 = n247;
let n249 = (n246 * n248);
let n250 = n249;
let n251 = (n61 * n222);
let n252 = f32(n226[n49]);
let n253 = n252;
let n254 = (n251 * n253);
let n255 = n254;
let n256 = (n63 * n222);
let n257 = f32(n226[n51]);
let n258 = n257;
let n259 = (n256 * n258);
let n260 = n259;
let n261 = (n65 * n222);
let n262 = f32(n226[n53]);
let n263 = n262;
let n264 = (n261 * n263);
let n265 = n264;
if (n9 && n43) {
n245[n45] = vec4<f16>(vec4<f32>(n250, n255, n260, n265));
}
let n266 = (n84 * n222);
let n267 = f32(n226[n72]);
let n268 = n267;
let n269 = (n266 * n268);
let n270 = n269;
let n271 = (n86 * n222);
let n272 = f32(n226[n74]);
let n273 = n272;
let n274 = (n271 * n273);
let n275 = n274;
let n276 = (n88 * n222);
let n277 = f32(n226[n76]);
let n278 = n277;
let n279 = (n276 * n278);
let n280 = n279;
let n281 = (n90 * n222);
let n282 = f32(n226[n78]);
let n283 = n282;
let n284 = (n281 * n283);
let n285 = n284;
if (n9 && n68) {
n245[n70] = vec4<f16>(vec4<f32>(n270, n275, n280, n285));
}
let n286 = (n109 * n222);
let n287 = f32(n226[n97]);
let n288 = n287;
let n289 = (n286 * n288);
let n290 = n289;
let n291 = (n111 * n222);
let n292 = f32(n226[n99]);
let n293 = n292;
let n294 = (n291 * n293);
let n295 = n294;
let n296 = (n113 * n222);
let n297 = f32(n226[n101]);
let n298 = n297;
let n299 = (n296 * n298);
let n300 = n299;
let n301 = (n115 * n222);
let n302 = f32(n226[n103]);
let n303 = n302;
let n304 = (n301 * n303);
let n305 = n304;
if (n9 && n93) {
n245[n95] = vec4<f16>(vec4<f32>(n290, n295, n300, n305));
}
let n306 = (n134 * n222);
let n307 = f32(n226[n122]);
let n308 = n307;
let n309 = (n306 * n308);
let n310 = n309;
let n311 = (n136 * n222);
let n312 = f32(n226[n124]);
let n313 = n312;
let n314 = (n311 * n313);
let n315 = n314;
let n316 = (n138 * n222);
let n317 = f32(n226[n126]);
let n318 = n317;
let n319 = (n316 * n318);
let n320 = n319;
let n321 = (n140 * n222);
let n322 = f32(n226[n128]);
let n323 = n322;
let n324 = (n321 * n323);
let n325 = n324;
if (n9 && n118) {
n245[n120] = vec4<f16>(vec4<f32>(n310, n315, n320, n325));
}
let n326 = (n159 * n222);
let n327 = f32(n226[n147]);
let n328 = n327;
let n329 = (n326 * n328);
let n330 = n329;
let n331 = (n161 * n222);
let n332 = f32(n226[n149]);
let n333 = n332;
let n334 = (n331 * n333);
let n335 = n334;
let n336 = (n163 * n222);
let n337 = f32(n226[n151]);
let n338 = n337;
let n339 = (n336 * n338);
let n340 = n339;
let n341 = (n165 * n222);
let n342 = f32(n226[n153]);
let n343 = n342;
let n344 = (n341 * n343);
let n345 = n344;
if (n9 && n143) {
n245[n145] = vec4<f16>(vec4<f32>(n330, n335, n340, n345));
}
let n346 = (n184 * n222);
let n347 = f32(n226[n172]);
let n348 = n347;
let n349 = (n346 * n348);
let n350 = n349;
let n351 = (n186 * n222);
let n352 = f32(n226[n174]);
let n353 = n352;
let n354 = (n351 * n353);
let n355 = n354;
let n356 = (n188 * n222);
let n357 = f32(n226[n176]);
let n358 = n357;
let n359 = (n356 * n358);
let n360 = n359;
let n361 = (n190 * n222);
let n362 = f32(n226[n178]);
let n363 = n362;
let n364 = (n361 * n363);
let n365 = n364;
if (n9 && n168) {
n245[n170] = vec4<f16>(vec4<f32>(n350, n355, n360, n365));
}
let n366 = (n209 * n222);
let n367 = f32(n226[n197]);
let n368 = n367;
let n369 = (n366 * n368);
let n370 = n369;
let n371 = (n211 * n222);
let n372 = f32(n226[n199]);
let n373 = n372;
let n374 = (n371 * n373);
let n375 = n374;
let n376 = (n213 * n222);
let n377 = f32(n226[n201]);
let n378 = n377;
let n379 = (n376 * n378);
let n380 = n379;
let n381 = (n215 * n222);
let n382 = f32(n226[n203]);
let n383 = n382;
let n384 = (n381 * n383);
let n385 = n384;
if (n9 && n193) {
n245[n195] = vec4<f16>(vec4<f32>(n370, n375, n380, n385));
}
if (n7 == 0u && n9) {
n386[n10] = n222;
n387[n10] = n223;
}
}
// f103dd3c2c3c
@group(0) @binding(11) var<storage, read> n0: array<f32>;
// f14a4410b35e
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
return n9[n7];
}
// f1c3d26f78b8
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[2].z);
let n17 = (n3.x * n16);
let n18 = bitcast<f32>(n5[2].w);
let n19 = (n3.x * n18);
let n20 = n21(n19);
let n22 = bitcast<f32>(n5[3].x);
let n23 = (n20 + n22);
let n24 = (n17 * n23);
let n25 = (n3.y * n16);
let n26 = (n3.y * n18);
let n27 = n21(n26);
let n28 = (n27 + n22);
let n29 = (n25 * n28);
let n30 = (n3.z * n16);
let n31 = (n3.z * n18);
let n32 = n21(n31);
let n33 = (n32 + n22);
let n34 = (n30 * n33);
let n35 = (n3.w * n16);
let n36 = (n3.w * n18);
let n37 = n21(n36);
let n38 = (n37 + n22);
let n39 = (n35 * n38);
n40[2u * n7] = n41(n24) | (n41(n29) << 16u);
n40[2u * n7 + 1u] = n41(n34) | (n41(n39) << 16u);
}
// f2a297f7cc56
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 64u;
let n8 = (n1.y * n2.x + n1.x) * 4u + n3 / 64u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 64u) {
let n15 = n12 + n14;
let n16 = 4u * n15 + 0u;
let n17 = 4u * n14 + 0u;
let n18 = 4u * n15 + 1u;
let n19 = 4u * n14 + 1u;
let n20 = 4u * n15 + 2u;
let n21 = 4u * n14 + 2u;
let n22 = 4u * n15 + 3u;
let n23 = 4u * n14 + 3u;
let n24 = n25[n15];
let n26 = n24.x;
let n27 = n24.y;
let n28 = n24.z;
let n29 = n24.w;
let n30 = n31(n26);
n13 = (n13 + n30);
let n32 = n31(n27);
n13 = (n13 + n32);
let n33 = n31(n28);
n13 = (n13 + n33);
let n34 = n31(n29);
n13 = (n13 + n34);
if (n9) {
n35[n15] = vec4<f32>(n30, n32, n33, n34);
}
}
n36[n3] = n13;
workgroupBarrier();
for (var n37 = 32u; n37 > 0u; n37 >>= 1u) {
if (n7 < n37) { n36[n3] = (n36[n3] + n36[n3 + n37]); }
workgroupBarrier();
}
let n38 = n36[n3 - n7];
workgroupBarrier();
if (n7 == 0u && n9) {
n39[n10] = n38;
}
}
// f2fd03f43ed5
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
let n6 = u32((f32(n3) + 0.5) * bitcast<f32>(n7[2].z));
let n8 = n3 - n6 * n7[2].y;
let n9 = n1.n10 + n8 * n7[2].w + n6 * n7[1].z;
let n11 = n7[7].z + n6;
let n12 = n7[8].x + n8;
let n13 = u32((f32(n4) + 0.5) * bitcast<f32>(n7[6].y));
let n14 = n4 - n13 * n7[6].x;
let n15 = u32((f32(n13) + 0.5) * bitcast<f32>(n7[5].x));
let n16 = n13 - n15 * n7[4].w;
let n17 = n9 + n14 + n16 * n7[5].y + n15 * n7[4].x;
let n18 = n11 + n15;
let n19 = n12 + n16;
if (!(n3 < n7[0].y && n4 < n7[0].w && n18 < n7[7].w && n19 < n7[8].y)) { return vec4<n5>(); }
let n20 = n17 >> 2u;
let n21 = n22[n20];
let n23 = n21.x;
let n24 = n21.y;
let n25 = n21.z;
let n26 = n21.w;
return vec4<n5>(n23, n24, n25, n26);
}
// f37b8a857c76
fn n0(n1: u32) -> i32 { return i32(n2(n1)) - i32(n3.n4); }
// f3f7f890e00a
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
let n34 = n7 + 128u;
let n35 = n34 < n11;
let n36 = min(n34, n11 - 1u);
let n37 = n12 + n36;
let n38 = 4u * n37 + 0u;
let n39 = 4u * n36 + 0u;
let n40 = 4u * n37 + 1u;
let n41 = 4u * n36 + 1u;
let n42 = 4u * n37 + 2u;
let n43 = 4u * n36 + 2u;
let n44 = 4u * n37 + 3u;
let n45 = 4u * n36 + 3u;
let n46 = n28[n37];
let n47 = n46.x;
let n48 = n46.y;
let n49 = n46.z;
let n50 = n46.w;
n13 = n33(n13, select((-n14()), n47, n35));
n13 = n33(n13, select((-n14()), n48, n35));
n13 = n33(n13, select((-n14()), n49, n35));
n13 = n33(n13, select((-n14()), n50, n35));
let n51 = subgroupAny(n52(n13));
let n53 = subgroupMax(select(n13, (-n14()), n52(n13)));
let n54 = select(n53, n55(), n51);
if (n3 % 32u == 0u) { n56[n3 / 32u] = n54; }
workgroupBarrier();
let n57 = (n3 - n7) / 32u;
var n58 = n56[n57];
for (var n59 = 1u; n59 < 4u; n59++) { n58 = n33(n58, n56[n57 + n59]); }
let n60 = n58;
workgroupBarrier();
var n61: f32 = f32(0);
let n62 = (n29 - n60);
let n63 = n64(n62);
n61 = (n61 + select(f32(0), n63, n16));
let n65 = (n30 - n60);
let n66 = n64(n65);
n61 = (n61 + select(f32(0), n66, n16));
let n67 = (n31 - n60);
let n68 = n64(n67);
n61 = (n61 + select(f32(0), n68, n16));
let n69 = (n32 - n60);
let n70 = n64(n69);
n61 = (n61 + select(f32(0), n70, n16));
let n71 = (n47 - n60);
let n72 = n64(n71);
n61 = (n61 + select(f32(0), n72, n35));
let n73 = (n48 - n60);
let n74 = n64(n73);
n61 = (n61 + select(f32(0), n74, n35));
let n75 = (n49 - n60);
let n76 = n64(n75);
n61 = (n61 + select(f32(0), n76, n35));
let n77 = (n50 - n60);
let n78 = n64(n77);
n61 = (n61 + select(f32(0), n78, n35));
let n79 = subgroupAdd(n61);
if (n3 % 32u == 0u) { n56[n3 / 32u] = n79; }
workgroupBarrier();
let n80 = (n3 - n7) / 32u;
var n81 = n56[n80];
for (var n59 = 1u; n59 < 4u; n59++) { n81 = (n81 + n56[n80 + n59]); }
let n82 = n81;
workgroupBarrier();
let n83 = n84(n82);
let n85 = (n62 - n83);
let n86 = (n65 - n83);
let n87 = (n67 - n83);
let n88 = (n69 - n83);
if (n9 && n16) {
n89[n18] = vec4<f32>(n85, n86, n87, n88);
}
let n90 = (n71 - n83);
let n91 = (n73 - n83);
let n92 = (n75 - n83);
let n93 = (n77 - n83);
if (n9 && n35) {
n89[n37] = vec4<f32>(n90, n91, n92, n93);
}
}
// f405ff6a896a
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[2u * n1];
let n10 = n9[2u * n1 + 1u];
let n11 = n12((n8 >> 0u) & 0xffffu);
let n13 = n12((n8 >> 16u) & 0xffffu);
let n14 = n12((n10 >> 0u) & 0xffffu);
let n15 = n12((n10 >> 16u) & 0xffffu);
let n16 = bitcast<f32>(n3[1].x);
let n17 = (n11 * n16);
let n18 = (n13 * n16);
let n19 = (n14 * n16);
let n20 = (n15 * n16);
n21[2u * n1] = n22(n17) | (n22(n18) << 16u);
n21[2u * n1 + 1u] = n22(n19) | (n22(n20) << 16u);
}
// f45c2d9e893d
@compute @workgroup_size(128)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 16u;
let n8 = (n1.y * n2.x + n1.x) * 8u + n3 / 16u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
var n13: f32 = (-n14());
let n15 = n7 + 0u;
let n16 = n15 < n11;
let n17 = min(n15, n11 - 1u);
let n18 = n12 + n17;
let n19 = 4u * n18 + 0u;
let n20 = 4u * n17 + 0u;
let n21 = 4u * n18 + 1u;
let n22 = 4u * n17 + 1u;
let n23 = 4u * n18 + 2u;
let n24 = 4u * n17 + 2u;
let n25 = 4u * n18 + 3u;
let n26 = 4u * n17 + 3u;
let n27 = n28[n18];
let n29 = n27.x;
let n30 = n27.y;
let n31 = n27.z;
let n32 = n27.w;
n13 = n33(n13, select((-n14()), n29, n16));
n13 = n33(n13, select((-n14()), n30, n16));
n13 = n33(n13, select((-n14()), n31, n16));
n13 = n33(n13, select((-n14()), n32, n16));
n34[n3] = n13;
workgroupBarrier();
for (var n35 = 8u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = n33(n34[n3], n34[n3 + n35]); }
workgroupBarrier();
}
let n36 = n34[n3 - n7];
workgroupBarrier();
var n37: f32 = f32(0);
let n38 = (n29 - n36);
let n39 = n40(n38);
n37 = (n37 + select(f32(0), n39, n16));
let n41 = (n30 - n36);
let n42 = n40(n41);
n37 = (n37 + select(f32(0), n42, n16));
let n43 = (n31 - n36);
let n44 = n40(n43);
n37 = (n37 + select(f32(0), n44, n16));
let n45 = (n32 - n36);
let n46 = n40(n45);
n37 = (n37 + select(f32(0), n46, n16));
n34[n3] = n37;
workgroupBarrier();
for (var n35 = 8u; n35 > 0u; n35 >>= 1u) {
if (n7 < n35) { n34[n3] = (n34[n3] + n34[n3 + n35]); }
workgroupBarrier();
}
let n47 = n34[n3 - n7];
workgroupBarrier();
let n48 = n49(n39, n47);
let n50 = n49(n42, n47);
let n51 = n49(n44, n47);
let n52 = n49(n46, n47);
if (n9 && n16) {
n53[n18] = vec4<f32>(n48, n50, n51, n52);
}
}
// f48f7fd96054
fn n0(n1: n2, n3: n2) -> n2 {
return vec2<u32>(n1.x - n3.x, n1.y - n3.y - select(0u, 1u, n1.x < n3.x));
}
// f5be5e10129f
struct n0 {
x: u32,
y: u32,
n1: u32,
n2: u32,
n3: u32,
n4: vec2<u32>,
n5: u32,
n6: u32,
n7: vec2<u32>,
}
// f5eff73df232
fn n0(z: u32, n1: u32, n2: u32, n3: u32, n4: u32) {
for (var n5 = n4; n5 < n6 * n7 / 4u; n5 += n8) {
let n9 = n5 / (n7 / 4u);
let n10 = n5 % (n7 / 4u);
var n11 = vec4<n12>(n13[n3 + n9 * n14 + n10]);
for (var n15 = 1u; n15 < n16; n15++) { n11 += vec4<n12>(n13[n3 + (n15 * n6 + n9) * n14 + n10]); }
n17(z, n1 + n9, n2 + 4u * n10, n11);
}
}
// f636001965ab
enable wgpu_cooperative_matrix;
// f64bff221536
@group(0) @binding(10) var<uniform> n0: array<vec4<u32>, 9>;
// f6e9963a0392
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n4 + n3[0].w;
let n9 = n10[n8];
let n11 = (n4 % n3[1].z);
let n12 = n13[n11];
let n14 = (n9 * n12);
let n15 = n4 / n3[3].y;
let n16 = n15 / n3[2].w;
let n17 = (n4 - n15 * n3[3].y) + (n15 - n16 * n3[2].w) * n3[3].x + n16 * n3[2].z + n3[3].w;
let n18 = n10[n17];
let n19 = (n4 % n3[4].z);
let n20 = n21[n19];
let n22 = (n18 * n20);
let n23 = (n14 + n22);
let n24 = n5 + n3[0].w;
let n25 = n10[n24];
let n26 = (n5 % n3[1].z);
let n27 = n13[n26];
let n28 = (n25 * n27);
let n29 = n5 / n3[3].y;
let n30 = n29 / n3[2].w;
let n31 = (n5 - n29 * n3[3].y) + (n29 - n30 * n3[2].w) * n3[3].x + n30 * n3[2].z + n3[3].w;
let n32 = n10[n31];
let n33 = (n5 % n3[4].z);
let n34 = n21[n33];
let n35 = (n32 * n34);
let n36 = (n28 + n35);
let n37 = n6 + n3[0].w;
let n38 = n10[n37];
let n39 = (n6 % n3[1].z);
let n40 = n13[n39];
let n41 = (n38 * n40);
let n42 = n6 / n3[3].y;
let n43 = n42 / n3[2].w;
let n44 = (n6 - n42 * n3[3].y) + (n42 - n43 * n3[2].w) * n3[3].x + n43 * n3[2].z + n3[3].w;
let n45 = n10[n44];
let n46 = (n6 % n3[4].z);
let n47 = n21[n46];
let n48 = (n45 * n47);
let n49 = (n41 + n48);
let n50 = n7 + n3[0].w;
let n51 = n10[n50];
let n52 = (n7 % n3[1].z);
let n53 = n13[n52];
let n54 = (n51 * n53);
let n55 = n7 / n3[3].y;
let n56 = n55 / n3[2].w;
let n57 = (n7 - n55 * n3[3].y) + (n55 - n56 * n3[2].w) * n3[3].x + n56 * n3[2].z + n3[3].w;
let n58 = n10[n57];
let n59 = (n7 % n3[4].z);
let n60 = n21[n59];
let n61 = (n58 * n60);
let n62 = (n54 + n61);
n63[n1] = vec4<f32>(n23, n36, n49, n62);
}
// f6fa3614ad95
const n0: u32 = 33u;
// f757c0a550fd
fn n0(x: f32) -> f32 {
let n1 = n2(abs(x));
let n3 = u32(n1.y);
let n4 = select(n5(n1.x), n6(n1.x), (n3 & 1u) == 1u);
let sign = ((n3 & 2u) << 30u) ^ (bitcast<u32>(x) & 0x80000000u);
return select(n7(), bitcast<f32>(bitcast<u32>(n4) ^ sign), n8(x));
}
// f7b56d129fb7
@group(0) @binding(7) var<storage, read> n0: array<f32>;
// f8622d3ffaf0
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
let n9 = vec4<f32>(n10[n7]);
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// f875a57ffc09
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
for (var n7 = 0u; n7 < 4u; n7++) {
let n8 = n2 + n7;
if (n8 < n5[0].z) {
let n9 = n6 * n5[0].z + n8;
let n10 = n3[n7];
n11[n9] = f16(n10);
}
}
}
// f919e38bd37c
@compute @workgroup_size(n0, n1)
fn n2(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) n3: vec3<u32>,
@builtin(local_invocation_index) n4: u32) {
let n5 = group.z * n6.n7 + group.y;
if (n5 >= n6.n8) { return; }
let n9 = (n6.n10 - 1u - group.x) * n11;
let n12 = n5 / n6.n13;
let n14 = n5 % n6.n13;
let n15 = n14 / n6.group;
let n16 = n17(n3.x, n3.y, n4, n9, n6.n18, vec2<u32>(n19(n12, n14), 0u), n12, n20(n12),
vec2<u32>(n21(n12, n15), n22(n12, n15)));
var n23: n24;
var n25: array<f32, n26 * 4u>;
var n27: array<f32, n26 * 4u>;
for (var n28 = 0u; n28 < n26 * 4u; n28++) { n25[n28] = n29; }
let n30 = max(i32(n9) + n31(n12) - n6.n32, 0);
let n33 = min(i32(n9 + n11 - 1u) + n31(n12) + n6.n34, i32(n20(n12)) - 1);
for (var n35 = n30 / i32(n36) * i32(n36); n35 <= n33; n35 += i32(n36)) {
let n37 = u32(n35);
var n38 = n39(0u, n16, n37);
for (var n28 = 0u; n28 < n26 * 4u; n28++) {
let n40 = n9 + 4u * ((n28 / 4u) * n1 + n3.y) + n28 % 4u;
for (var n41 = 0u; n41 < 4u; n41++) {
let n42 = n37 + 4u * n3.x + n41;
n38[n28][n41] = n43(n38[n28][n41], n12, n14, n40, n42);
}
}
for (var n44 = 0u; n44 < n26; n44++) {
var n45 = vec4<f32>();
for (var n28 = 0u; n28 < 4u; n28++) {
let n46 = n38[4u * n44 + n28];
n45[n28] = max(max(n46.x, n46.y), max(n46.z, n46.w));
}
n47[n3.x * n48 + n44 * n1 + n3.y] = n45;
}
workgroupBarrier();
for (var n44 = 0u; n44 < n26; n44++) {
var n49 = vec4<f32>(n29);
for (var n50 = 0u; n50 < n0; n50++) { n49 = max(n49, n47[n50 * n48 + n44 * n1 + n3.y]); }
for (var n28 = 0u; n28 < 4u; n28++) {
let n51 = 4u * n44 + n28;
let n52 = max(n25[n51], n49[n28]);
let n53 = n54(n25[n51] - n52);
n25[n51] = n52;
for (var n41 = 0u; n41 < n55; n41++) { n23[n51][n41] *= n53; }
let x = n38[n51] - n52;
n38[n51] = select(exp2(x), vec4<f32>(), (x < vec4<f32>(-150.0)) | (n38[n51] == vec4<f32>(n29)));
n27[n51] = n27[n51] * n53 + (n38[n51].x + n38[n51].y) + (n38[n51].z + n38[n51].w);
}
}
workgroupBarrier();
n56(n16, n38);
n57(0u, n16, n37, &n23);
}
workgroupBarrier();
for (var n44 = 0u; n44 < n26; n44++) {
n47[n3.x * n48 + n44 * n1 + n3.y] =
vec4<f32>(n27[4u * n44], n27[4u * n44 + 1u], n27[4u * n44 + 2u], n27[4u * n44 + 3u]);
}
workgroupBarrier();
for (var n44 = 0u; n44 < n26; n44++) {
var n58 = vec4<f32>();
for (var n50 = 0u; n50 < n0; n50++) { n58 += n47[n50 * n48 + n44 * n1 + n3.y]; }
for (var n28 = 0u; n28 < 4u; n28++) {
let n40 = n9 + 4u * (n44 * n1 + n3.y) + n28;
if (n40 >= n6.n18) { continue; }
let n59 = n58[n28] == 0.0;
let n60 = select(1.0 / n58[n28], 0.0, n59);
for (var n41 = 0u; n41 < n55; n41++) {
let n61 = n41 * n0 + n3.x;
if (n61 < n62) { n63(n64(n12, n14, n40) * n62 + n61, n23[4u * n44 + n28][n41] * n60); }
}
if (n3.x == 0u) {
n65[n5 * n6.n18 + n40] = select(n25[4u * n44 + n28] + log2(n58[n28]), n29, n59);
}
}
}
}
// f920c8fe73c2
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17(n3.x);
let n18 = (n3.x * n16);
let n19 = n17(n3.y);
let n20 = (n3.y * n19);
let n21 = n17(n3.z);
let n22 = (n3.z * n21);
let n23 = n17(n3.w);
let n24 = (n3.w * n23);
n25[2u * n7] = n26(n18) | (n26(n20) << 16u);
n25[2u * n7 + 1u] = n26(n22) | (n26(n24) << 16u);
}
// f961a2120bff
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[1].x);
let n15 = n16(n10, n14);
let n17 = abs(n10);
let n18 = (-n17);
let n19 = n20(n18);
let n21 = n22(n19);
let n23 = (n15 + n21);
let n24 = n25(n23);
let n26 = (n10 * n24);
let n27 = n16(n11, n14);
let n28 = abs(n11);
let n29 = (-n28);
let n30 = n20(n29);
let n31 = n22(n30);
let n32 = (n27 + n31);
let n33 = n25(n32);
let n34 = (n11 * n33);
let n35 = n16(n12, n14);
let n36 = abs(n12);
let n37 = (-n36);
let n38 = n20(n37);
let n39 = n22(n38);
let n40 = (n35 + n39);
let n41 = n25(n40);
let n42 = (n12 * n41);
let n43 = n16(n13, n14);
let n44 = abs(n13);
let n45 = (-n44);
let n46 = n20(n45);
let n47 = n22(n46);
let n48 = (n43 + n47);
let n49 = n25(n48);
let n50 = (n13 * n49);
n51[n1] = vec4<f32>(n26, n34, n42, n50);
}
// f9ab32b0d0eb
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = bitcast<f32>(n5[4].w);
let n17 = (n3.x * n16);
let n18 = bitcast<f32>(n5[5].x);
let n19 = (n3.x * n18);
let n20 = n21(n19);
let n22 = bitcast<f32>(n5[5].y);
let n23 = (n20 + n22);
let n24 = (n17 * n23);
let n25 = (n3.y * n16);
let n26 = (n3.y * n18);
let n27 = n21(n26);
let n28 = (n27 + n22);
let n29 = (n25 * n28);
let n30 = (n3.z * n16);
let n31 = (n3.z * n18);
let n32 = n21(n31);
let n33 = (n32 + n22);
let n34 = (n30 * n33);
let n35 = (n3.w * n16);
let n36 = (n3.w * n18);
let n37 = n21(n36);
let n38 = (n37 + n22);
let n39 = (n35 * n38);
n40[2u * n7] = n41(n24) | (n41(n29) << 16u);
n40[2u * n7 + 1u] = n41(n34) | (n41(n39) << 16u);
}
// f9f89af20be4
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n2 / n4[2].z;
let n5 = n2 - n3 * n4[2].z;
let n6 = vec4<f32>(n7[n1]);
let n8 = n6.x;
let n9 = n6.y;
let n10 = n6.z;
let n11 = n6.w;
let n12 = f32(n13[n5]);
let n14 = (n8 * n12);
let n15 = n2 + 1u;
let n16 = n5 + 1u == n4[2].z;
let n17 = select(n3, n3 + 1u, n16);
let n18 = select(n5 + 1u, 0u, n16);
let n19 = f32(n13[n18]);
let n20 = (n9 * n19);
let n21 = n2 + 2u;
let n22 = n18 + 1u == n4[2].z;
let n23 = select(n17, n17 + 1u, n22);
let n24 = select(n18 + 1u, 0u, n22);
let n25 = f32(n13[n24]);
let n26 = (n10 * n25);
let n27 = n2 + 3u;
let n28 = n24 + 1u == n4[2].z;
let n29 = select(n23, n23 + 1u, n28);
let n30 = select(n24 + 1u, 0u, n28);
let n31 = f32(n13[n30]);
let n32 = (n11 * n31);
return vec4<f32>(n14, n20, n26, n32);
}
// fa058971f8c7
fn n0(x: n1) -> n1 {
return select(x, n2(x), n3(x));
}
// fa1eed1a0509
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[5].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n4 * n6[6].w + n3) >> 2u;
let n9 = n10[n7];
let n11 = n9.x;
let n12 = n9.y;
let n13 = n9.z;
let n14 = n9.w;
return vec4<n5>(n11, n12, n13, n14);
}
// fa54374df317
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
if ((n3 + 0u) < n7[0].z && n4 < n7[0].w) { let n8 = n1.n9 + (n3 + 0u) * n7[2].x + n4 * n7[1].w; n6.x = n5(f32(n10[n8])); }
if ((n3 + 1u) < n7[0].z && n4 < n7[0].w) { let n11 = n1.n9 + (n3 + 1u) * n7[2].x + n4 * n7[1].w; n6.y = n5(f32(n10[n11])); }
if ((n3 + 2u) < n7[0].z && n4 < n7[0].w) { let n12 = n1.n9 + (n3 + 2u) * n7[2].x + n4 * n7[1].w; n6.z = n5(f32(n10[n12])); }
if ((n3 + 3u) < n7[0].z && n4 < n7[0].w) { let n13 = n1.n9 + (n3 + 3u) * n7[2].x + n4 * n7[1].w; n6.w = n5(f32(n10[n13])); }
return n6;
}
// fa70cabde918
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 128u;
let n8 = (n1.y * n2.x + n1.x) * 2u + n3 / 128u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[1].y);
var n14: f32 = (-n15());
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = n29[n19];
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
n14 = n34(n14, select((-n15()), n30, n17));
n14 = n34(n14, select((-n15()), n31, n17));
n14 = n34(n14, select((-n15()), n32, n17));
n14 = n34(n14, select((-n15()), n33, n17));
let n35 = n7 + 128u;
let n36 = n35 < n11;
let n37 = min(n35, n11 - 1u);
let n38 = n12 + n37;
let n39 = 4u * n38 + 0u;
let n40 = 4u * n37 + 0u;
let n41 = 4u * n38 + 1u;
let n42 = 4u * n37 + 1u;
let n43 = 4u * n38 + 2u;
let n44 = 4u * n37 + 2u;
let n45 = 4u * n38 + 3u;
let n46 = 4u * n37 + 3u;
let n47 = n29[n38];
let n48 = n47.x;
let n49 = n47.y;
let n50 = n47.z;
let n51 = n47.w;
n14 = n34(n14, select((-n15()), n48, n36));
n14 = n34(n14, select((-n15()), n49, n36));
n14 = n34(n14, select((-n15()), n50, n36));
n14 = n34(n14, select((-n15()), n51, n36));
n52[n3] = n14;
workgroupBarrier();
for (var n53 = 64u; n53 > 0u; n53 >>= 1u) {
if (n7 < n53) { n52[n3] = n34(n52[n3], n52[n3 + n53]); }
workgroupBarrier();
}
let n54 = n52[n3 - n7];
workgroupBarrier();
let n55 = n56(n54);
let n57 = select(n13, n54, n55);
var n58: f32 = f32(0);
let n59 = (n30 - n57);
let n60 = n61(n59);
n58 = (n58 + select(f32(0), n60, n17));
let n62 = (n31 - n57);
let n63 = n61(n62);
n58 = (n58 + select(f32(0), n63, n17));
let n64 = (n32 - n57);
let n65 = n61(n64);
n58 = (n58 + select(f32(0), n65, n17));
let n66 = (n33 - n57);
let n67 = n61(n66);
n58 = (n58 + select(f32(0), n67, n17));
let n68 = (n48 - n57);
let n69 = n61(n68);
n58 = (n58 + select(f32(0), n69, n36));
let n70 = (n49 - n57);
let n71 = n61(n70);
n58 = (n58 + select(f32(0), n71, n36));
let n72 = (n50 - n57);
let n73 = n61(n72);
n58 = (n58 + select(f32(0), n73, n36));
let n74 = (n51 - n57);
let n75 = n61(n74);
n58 = (n58 + select(f32(0), n75, n36));
n52[n3] = n58;
workgroupBarrier();
for (var n53 = 64u; n53 > 0u; n53 >>= 1u) {
if (n7 < n53) { n52[n3] = (n52[n3] + n52[n3 + n53]); }
workgroupBarrier();
}
let n76 = n52[n3 - n7];
workgroupBarrier();
let n77 = n78(n76);
let n79 = (n77 + n57);
if (n7 == 0u && n9) {
n80[n10] = n79;
}
}
// faa48aea58f3
@group(0) @binding(5) var<uniform> n0: array<vec4<u32>, 3>;
// fac0236b680a
@compute @workgroup_size(64)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 1u;
let n8 = (n1.y * n2.x + n1.x) * 64u + n3 / 1u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6;
let n12 = n10 * n6;
var n13: f32 = f32(0);
for (var n14 = n7; n14 < n11; n14 += 1u) {
let n15 = n12 + n14;
let n16 = n10 + n14 * n5[1].y;
let n17 = n18[n16];
n13 = (n13 + n17);
}
let n19 = n13;
let n20 = n19;
if (n7 == 0u && n9) {
n21[n10] = f16(n20);
}
}
// fb46d947f947
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[2].x + n4) >> 2u;
return n9[n7];
}
// fbb2f8552ef7
@compute @workgroup_size(256)
fn n0(@builtin(workgroup_id) n1: vec3<u32>, @builtin(num_workgroups) n2: vec3<u32>,
@builtin(local_invocation_index) n3: u32) {
let n4 = n5[0].x;
let n6 = n5[0].y;
let n7 = n3 % 256u;
let n8 = (n1.y * n2.x + n1.x) * 1u + n3 / 256u;
let n9 = n8 < n4;
let n10 = min(n8, n4 - 1u);
let n11 = n6 >> 2u;
let n12 = n10 * n11;
let n13 = bitcast<f32>(n5[0].z);
let n14 = bitcast<f32>(n5[0].w);
var n15: f32 = f32(0);
let n16 = n7 + 0u;
let n17 = n16 < n11;
let n18 = min(n16, n11 - 1u);
let n19 = n12 + n18;
let n20 = 4u * n19 + 0u;
let n21 = 4u * n18 + 0u;
let n22 = 4u * n19 + 1u;
let n23 = 4u * n18 + 1u;
let n24 = 4u * n19 + 2u;
let n25 = 4u * n18 + 2u;
let n26 = 4u * n19 + 3u;
let n27 = 4u * n18 + 3u;
let n28 = vec4<f32>(n29[n19]);
let n30 = n28.x;
let n31 = n28.y;
let n32 = n28.z;
let n33 = n28.w;
let n34 = n30;
let n35 = (n34 * n34);
n15 = (n15 + select(f32(0), n35, n17));
let n36 = n31;
let n37 = (n36 * n36);
n15 = (n15 + select(f32(0), n37, n17));
let n38 = n32;
let n39 = (n38 * n38);
n15 = (n15 + select(f32(0), n39, n17));
let n40 = n33;
let n41 = (n40 * n40);
n15 = (n15 + select(f32(0), n41, n17));
let n42 = subgroupAdd(n15);
if (n3 % 32u == 0u) { n43[n3 / 32u] = n42; }
workgroupBarrier();
let n44 = (n3 - n7) / 32u;
var n45 = n43[n44];
for (var n46 = 1u; n46 < 8u; n46++) { n45 = (n45 + n43[n44 + n46]); }
let n47 = n45;
workgroupBarrier();
let n48 = n49(n47, n13);
let n50 = (n48 + n14);
let n51 = inverseSqrt(n50);
let n52 = (n34 * n51);
let n53 = vec4<f32>(n54[n19]);
let n55 = n53.x;
let n56 = n53.y;
let n57 = n53.z;
let n58 = n53.w;
let n59 = n55;
let n60 = (n52 * n59);
let n61 = n60;
let n62 = (n36 * n51);
let n63 = n56;
let n64 = (n62 * n63);
let n65 = n64;
let n66 = (n38 * n51);
let n67 = n57;
let n68 = (n66 * n67);
let n69 = n68;
let n70 = (n40 * n51);
let n71 = n58;
let n72 = (n70 * n71);
let n73 = n72;
if (n9 && n17) {
n74[n19] = vec4<f16>(vec4<f32>(n61, n65, n69, n73));
}
}
// fbe6ec7ac949
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[0].z) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[0].z + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
let n16 = n17[n7];
let n18 = n16.x;
let n19 = n16.y;
let n20 = n16.z;
let n21 = n16.w;
let n22 = (n3.x * n18);
let n23 = (n3.y * n19);
let n24 = (n3.z * n20);
let n25 = (n3.w * n21);
n26[n7] = vec4<f32>(n3.x, n3.y, n3.z, n3.w);
n27[n7] = vec4<f32>(n22, n23, n24, n25);
}
// fc219cc9cc03
alias n0 = coop_mat16x16<f32, C>;
// fcdc1abfd473
fn n0(x: f32) -> f32 {
return select(exp2(x), 0.0, x < -150.0);
}
// fd35345ffa9c
@group(1) @binding(0) var<storage, read_write> n0: array<atomic<u32>, 4>;
// fd78fe9cf1e6
const n0: u32 = n1 * n2;
// fdcb514a3560
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[3].x) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[3].x + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[2u * n7] = n17(n3.x) | (n17(n3.y) << 16u);
n16[2u * n7 + 1u] = n17(n3.z) | (n17(n3.w) << 16u);
}
// fdde47b6e0bf
const n0: u32 = n1 / 4u / n2;
// fde05160da32
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n2 / n4[3].w;
let n5 = n2 - n3 * n4[3].w;
let n6 = n7[n1];
let n8 = (bitcast<i32>((n6 >> 0u) << 24u) >> 24u);
let n9 = (bitcast<i32>((n6 >> 8u) << 24u) >> 24u);
let n10 = (bitcast<i32>((n6 >> 16u) << 24u) >> 24u);
let n11 = (bitcast<i32>((n6 >> 24u) << 24u) >> 24u);
let n12 = n13(n14(f32(n8)));
let n15 = f32(n16[n5]);
let n17 = (n12 * n15);
let n18 = n2 + 1u;
let n19 = n5 + 1u == n4[3].w;
let n20 = select(n3, n3 + 1u, n19);
let n21 = select(n5 + 1u, 0u, n19);
let n22 = n13(n14(f32(n9)));
let n23 = f32(n16[n21]);
let n24 = (n22 * n23);
let n25 = n2 + 2u;
let n26 = n21 + 1u == n4[3].w;
let n27 = select(n20, n20 + 1u, n26);
let n28 = select(n21 + 1u, 0u, n26);
let n29 = n13(n14(f32(n10)));
let n30 = f32(n16[n28]);
let n31 = (n29 * n30);
let n32 = n2 + 3u;
let n33 = n28 + 1u == n4[3].w;
let n34 = select(n27, n27 + 1u, n33);
let n35 = select(n28 + 1u, 0u, n33);
let n36 = n13(n14(f32(n11)));
let n37 = f32(n16[n35]);
let n38 = (n36 * n37);
return vec4<f32>(n17, n24, n31, n38);
}
// fe088d0f931f
fn n0(z: u32, n1: u32, n2: u32, n3: vec4<n4>) {
if (n1 >= n5[0].y || n2 >= n5[3].y) { return; }
let n6 = z * n5[0].y + n1;
let n7 = (n6 * n5[3].y + n2) >> 2u;
let n8 = 4u * n7 + 0u;
let n9 = n2 + 0u;
let n10 = 4u * n7 + 1u;
let n11 = n2 + 1u;
let n12 = 4u * n7 + 2u;
let n13 = n2 + 2u;
let n14 = 4u * n7 + 3u;
let n15 = n2 + 3u;
n16[n7] = vec4<f32>(n3.x, n3.y, n3.z, n3.w);
}
// ff05e998bb97
@group(0) @binding(4) var<storage, read_write> n0: array<vec4<f16>>;
// ff2ea5076558
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = n9[n1];
let n10 = n8.x;
let n11 = n8.y;
let n12 = n8.z;
let n13 = n8.w;
let n14 = bitcast<f32>(n3[1].x);
let n15 = (n10 + n14);
let n16 = (n11 + n14);
let n17 = (n12 + n14);
let n18 = (n13 + n14);
n19[n1] = vec4<f32>(n15, n16, n17, n18);
}
// ff4c37f061e2
fn n0(n1: u32) {
let n2 = n3[0].x - 1u;
let n4 = 4u * n1;
let n5 = min(4u * n1 + 1u, n2);
let n6 = min(4u * n1 + 2u, n2);
let n7 = min(4u * n1 + 3u, n2);
let n8 = bitcast<i32>(n3[8].x);
let n9 = n4 / n3[0].w;
let n10 = (n4 - n9 * n3[0].w) + n9 * n3[0].z;
let n11 = bitcast<i32>(n10);
let n12 = bitcast<i32>(n3[8].y);
let n13 = (n11 * n12);
let n14 = (n8 + n13);
let n15 = 0u;
let n16 = n17[n15];
let n18 = bitcast<i32>(n3[8].z);
let n19 = n20(n16, n18);
let n21 = bitcast<i32>(n3[8].w);
let n22 = (n19 * n21);
let n23 = (n14 + n22);
let n24 = n5 / n3[0].w;
let n25 = (n5 - n24 * n3[0].w) + n24 * n3[0].z;
let n26 = bitcast<i32>(n25);
let n27 = (n26 * n12);
let n28 = (n8 + n27);
let n29 = 0u;
let n30 = n17[n29];
let n31 = n20(select(0, n30, 4u * n1 + 1u <= n2), n18);
let n32 = (n31 * n21);
let n33 = (n28 + n32);
let n34 = n6 / n3[0].w;
let n35 = (n6 - n34 * n3[0].w) + n34 * n3[0].z;
let n36 = bitcast<i32>(n35);
let n37 = (n36 * n12);
let n38 = (n8 + n37);
let n39 = 0u;
let n40 = n17[n39];
let n41 = n20(select(0, n40, 4u * n1 + 2u <= n2), n18);
let n42 = (n41 * n21);
let n43 = (n38 + n42);
let n44 = n7 / n3[0].w;
let n45 = (n7 - n44 * n3[0].w) + n44 * n3[0].z;
let n46 = bitcast<i32>(n45);
let n47 = (n46 * n12);
let n48 = (n8 + n47);
let n49 = 0u;
let n50 = n17[n49];
let n51 = n20(select(0, n50, 4u * n1 + 3u <= n2), n18);
let n52 = (n51 * n21);
let n53 = (n48 + n52);
let n54 = f32(n55[n4]);
let n56 = n54;
let n57 = (n4 % n3[4].y);
let n58 = n59[n57];
let n60 = (n56 * n58);
let n61 = n4 / n3[6].x;
let n62 = n61 / n3[5].z;
let n63 = (n4 - n61 * n3[6].x) + (n61 - n62 * n3[5].z) * n3[5].w + n62 * n3[5].y + n3[6].z;
let n64 = f32(n55[n63]);
let n65 = n64;
let n66 = (n4 % n3[7].y);
let n67 = n68[n66];
let n69 = (n65 * n67);
let n70 = (n60 + n69);
let n71 = n70;
let n72 = f32(n55[n5]);
let n73 = n72;
let n74 = (n5 % n3[4].y);
let n75 = n59[n74];
let n76 = (n73 * n75);
let n77 = n5 / n3[6].x;
let n78 = n77 / n3[5].z;
let n79 = (n5 - n77 * n3[6].x) + (n77 - n78 * n3[5].z) * n3[5].w + n78 * n3[5].y + n3[6].z;
let n80 = f32(n55[n79]);
let n81 = n80;
let n82 = (n5 % n3[7].y);
let n83 = n68[n82];
let n84 = (n81 * n83);
let n85 = (n76 + n84);
let n86 = n85;
let n87 = f32(n55[n6]);
let n88 = n87;
let n89 = (n6 % n3[4].y);
let n90 = n59[n89];
let n91 = (n88 * n90);
let n92 = n6 / n3[6].x;
let n93 = n92 / n3[5].z;
let n94 = (n6 - n92 * n3[6].x) + (n92 - n93 * n3[5].z) * n3[5].w + n93 * n3[5].y + n3[6].z;
let n95 = f32(n55[n94]);
let n96 = n95;
let n97 = (n6 % n3[7].y);
let n98 = n68[n97];
let n99 = (n96 * n98);
let n100 = (n91 + n99);
let n101 = n100;
let n102 = f32(n55[n7]);
let n103 = n102;
let n104 = (n7 % n3[4].y);
let n105 = n59[n104];
let n106 = (n103 * n105);
let n107 = n7 / n3[6].x;
let n108 = n107 / n3[5].z;
let n109 = (n7 - n107 * n3[6].x) + (n107 - n108 * n3[5].z) * n3[5].w + n108 * n3[5].y + n3[6].z;
let n110 = f32(n55[n109]);
let n111 = n110;
let n112 = (n7 % n3[7].y);
let n113 = n68[n112];
let n114 = (n111 * n113);
let n115 = (n106 + n114);
let n116 = n115;
n117[n1] = vec4<i32>(n23, n33, n43, n53);
n118[u32(n23)] = f16(n71);
if (4u * n1 + 1u <= n2) { n118[u32(n33)] = f16(n86);
}
if (4u * n1 + 2u <= n2) { n118[u32(n43)] = f16(n101);
}
if (4u * n1 + 3u <= n2) { n118[u32(n53)] = f16(n116);
}
}
// ff700154cbd9
fn n0(n1: u32) -> i32 { return n2.n3; }
// ffd0fa678fe3
fn n0(n1: u32) -> vec4<f32> {
let n2 = 4u * n1;
let n3 = n4[n1];
let n5 = n3.x;
let n6 = n3.y;
let n7 = n3.z;
let n8 = n3.w;
let n9 = n10(n5);
let n11 = n2 + 1u;
let n12 = n10(n6);
let n13 = n2 + 2u;
let n14 = n10(n7);
let n15 = n2 + 3u;
let n16 = n10(n8);
return vec4<f32>(n9, n12, n14, n16);
}
// ffe3d8be0f93
@group(0) @binding(9) var<storage, read_write> n0: array<vec4<f16>>;
