// 00d7547d7804
const n0: u32 = 2u;
// 01af2b204675
const n0: u32 = 128u;
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
// 03ddd614bd1a
@group(0) @binding(5) var<storage, read> n0: array<vec4<f32>>;
// 03f33a71c4c5
@group(0) @binding(0) var<storage, read> n0: array<f16>;
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
// 0c8e50d14c22
var<workgroup> n0: array<vec4<f32>, n1 * (n2 + n3)>;
// 0cd88ec5b66f
fn n0(n1: u32, n2: u32, n3: u32) -> u32 { return n1 + n3 * n4.n5.z; }
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
// 135bf4d787f8
fn n0(x: f32) -> bool {
return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}
// 137c5e25e849
@group(0) @binding(1) var<storage, read_write> n0: array<f16>;
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
// 233b3da1b65b
const n0: bool = true;
// 234597e9d591
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 1>;
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
// 255972679f8e
@group(0) @binding(3) var<storage, read_write> n0: array<vec4<f16>>;
// 26224ffb8184
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 3>;
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
// 2889c600aa17
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
if (n61 < n62) { n63[n64(n12, n14, n40) * n62 + n61] = n23[4u * n44 + n28][n41] * n60; }
}
if (n3.x == 0u) {
n65[n5 * n6.n18 + n40] = select(n25[4u * n44 + n28] + log2(n58[n28]), n29, n59);
}
}
}
}
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
// 2cae9a83d945
const n0: u32 = 1u;
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
// 2fd1c1acbc34
@group(0) @binding(7) var<storage, read_write> n0: array<vec4<f32>>;
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
// 364e0e318888
@group(0) @binding(4) var<storage, read_write> n0: array<vec4<f32>>;
// 37c24dd23e35
fn n0(n1: f32) -> f32 {
let z = n1 * n1;
return fma(z * z, fma(fma(2.44256789e-5, z, -0.00138872513), z, 0.0416666456), fma(z, -0.5, 1.0));
}
// 37ee2240172e
const n0 = 1u;
// 3847833da4ec
@group(0) @binding(1) var<storage, read> n0: array<f16>;
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
// 4ef4a512c590
alias n0 = vec2<u32>;
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
// 57a401ab16d9
const n0: u32 = 64u;
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
// 5c6d900a2f3d
@group(0) @binding(1) var<uniform> n0: array<vec4<u32>, 7>;
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
// 5e21ae76ee14
@group(0) @binding(16) var<uniform> n0: array<vec4<u32>, 14>;
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
// 638082c0c580
@group(0) @binding(0) var<storage, read_write> n0: array<vec4<f16>>;
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
// 746b7d3be228
const n0: u32 = n1 * n2 * 4u;
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
// 938349cc5790
@group(0) @binding(8) var<uniform> n0: array<vec4<u32>, 3>;
// 949c9b420763
const n0: u32 = (n1 + n2 * n3 - 1u) / (n2 * n3);
// 966668044dd1
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 4>;
// 967decb67a94
fn n0(x: n1) -> n1 {
return n2(vec2<u32>(0u, 0u), x);
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
// abcfcdc81d67
alias n0 = array<array<vec4<f32>, n1>, n2 * 4u>;
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
// b731e8352ada
@group(0) @binding(4) var<storage, read_write> n0: array<u32>;
// b809678752a9
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
var n6 = vec4<n5>();
if ((n3 + 0u) < n7[0].z && n4 < n7[0].w) { let n8 = n1.n9 + (n3 + 0u) * n7[2].x + n4 * n7[1].w; n6.x = n10((n11[n8 >> 1u] >> ((n8 & 1u) << 4u)) & 0xffffu); }
if ((n3 + 1u) < n7[0].z && n4 < n7[0].w) { let n12 = n1.n9 + (n3 + 1u) * n7[2].x + n4 * n7[1].w; n6.y = n10((n11[n12 >> 1u] >> ((n12 & 1u) << 4u)) & 0xffffu); }
if ((n3 + 2u) < n7[0].z && n4 < n7[0].w) { let n13 = n1.n9 + (n3 + 2u) * n7[2].x + n4 * n7[1].w; n6.z = n10((n11[n13 >> 1u] >> ((n13 & 1u) << 4u)) & 0xffffu); }
if ((n3 + 3u) < n7[0].z && n4 < n7[0].w) { let n14 = n1.n9 + (n3 + 3u) * n7[2].x + n4 * n7[1].w; n6.w = n10((n11[n14 >> 1u] >> ((n14 & 1u) << 4u)) & 0xffffu); }
return n6;
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
// cd6ed98a1219
@group(0) @binding(4) var<uniform> n0: array<vec4<u32>, 6>;
// cdcdef167e34
@group(0) @binding(6) var<uniform> n0: array<vec4<u32>, 1>;
// ce1738df6aff
@group(0) @binding(0) var<storage, read_write> n0: array<f16>;
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
// cf8e6024a77c
@group(0) @binding(1) var<uniform> n0: array<vec4<u32>, 2>;
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
// d41188a35a6d
fn n0(x: n1) -> u32 {
return select(countLeadingZeros(x.y), 32u + countLeadingZeros(x.x), x.y == 0u);
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
// d69e21d152ee
fn n0(n1: u32, n2: n3, n4: u32, n5: u32, n6: u32) -> vec4<f32> {
let n7 = n4 + n6 / n8;
let n9 = n5 + n6 % n8;
if (n7 >= n2.n10 || n9 >= n11) { return vec4<f32>(); }
return n12(n1, n2.n13, n2.n14, n7, n9);
}
// d702f81c6554
@group(0) @binding(3) var<uniform> n0: array<vec4<u32>, 7>;
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
// dec549efe39a
fn n0(n1: u32, n2: vec2<u32>, n3: u32, n4: u32, n5: u32) -> vec4<f32> {
return n6(n7(n2.x, n3, n4) + n5);
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
// e176e97878a1
@group(0) @binding(14) var<storage, read> n0: array<f32>;
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
// ea0207347a6c
fn n0(n1: n2, n3: n2) -> n2 {
let n4 = n1.x + n3.x;
return vec2<u32>(n4, n1.y + n3.y + select(0u, 1u, n4 < n1.x));
}
// ea7d7ab53451
@group(0) @binding(3) var<storage, read> n0: array<f32>;
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
// f103dd3c2c3c
@group(0) @binding(11) var<storage, read> n0: array<f32>;
// f14a4410b35e
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].y || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[1].x + n4) >> 2u;
return n9[n7];
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
// fb46d947f947
fn n0(n1: n2, n3: u32, n4: u32) -> vec4<n5> {
if (n3 >= n6[0].z || n4 >= n6[0].w) { return vec4<n5>(); }
let n7 = (n1.n8 + n3 * n6[2].x + n4) >> 2u;
return n9[n7];
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
